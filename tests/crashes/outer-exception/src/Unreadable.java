package archive;

public class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    public Unreadable(int page, Throwable cause) {
        super("page " + page, cause);
    }
}
