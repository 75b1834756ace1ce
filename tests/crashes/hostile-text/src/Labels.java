package labels;

/** Prints labels of a fixed width. */
public class Labels {
    private final int width;

    public Labels(int width) {
        this.width = width;
    }

    /** The bug: some objects have no text. */
    public String label(Object thing) {
        if (thing == null) {
            return "";
        }
        String text = thing.toString();
        int length = text.length();
        return length > width ? text.substring(0, width) : text;
    }
}
