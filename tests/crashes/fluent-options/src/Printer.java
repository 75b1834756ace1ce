package ledger;

/** Prints entries in a style. */
public final class Printer {
    private final Style style;

    public Printer(Style style) {
        this.style = style;
    }

    public String print(String entry) {
        String line = style.describe() + ": " + entry;
        if (style.isFoldedEntry() && style.widthInner() > 40) {
            return fold(entry);
        }
        return line;
    }

    /** The bug: an entry may be shorter than a line. */
    private String fold(String entry) {
        int width = style.widthInner();
        return entry.substring(0, width) + "\n" + entry.substring(width);
    }
}
