package press;

public class Status {
    private int sheets;
    private Exception error;

    void finish(int sheets) {
        this.sheets = sheets;
    }

    void fail(Exception failure) {
        error = failure;
    }

    public int getSheets() {
        return sheets;
    }

    /** What went wrong, or null. */
    public Exception getError() {
        return error;
    }
}
