package notes;

/** Copies a text without its spaces into a buffer of fixed size. */
public class Label {
    private static final int SLOTS = 640;

    private final char[] slots = new char[SLOTS];

    /** The bug: the text may have more letters than there are slots. */
    public int print(String text) {
        if (text.isEmpty() || !Character.isLetter(text.charAt(0))) {
            return 0;
        }
        int used = 0;
        for (int place = 0; place < text.length(); place++) {
            if (text.charAt(place) != ' ') {
                slots[used++] = text.charAt(place);
            }
        }
        return used;
    }
}
