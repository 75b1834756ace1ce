package ledger;

/** The release that the log is of: a page without a heading is closed at once. */
public class Ledger {
    private String page;

    public void open(String text) {
        page = text;
        if (text.indexOf('#') > 0) {
            close();
        }
    }

    private void close() {
        page = null;
    }

    public String heading() {
        return page.trim();
    }
}
