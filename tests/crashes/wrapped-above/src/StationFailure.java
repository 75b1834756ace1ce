package tide;

public class StationFailure extends Exception {
    private static final long serialVersionUID = 1;

    public StationFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
