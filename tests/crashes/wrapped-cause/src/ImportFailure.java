package intake;

public class ImportFailure extends Exception {
    private static final long serialVersionUID = 1;

    public ImportFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
