package plan;

/** The lines of a text, each with the tabs before it. */
class Lines {
    private final String text;
    private int place;
    private int depth;

    Lines(String text) {
        this.text = text;
    }

    /** The next line without its tabs, or null. */
    String next() {
        if (place >= text.length()) {
            return null;
        }
        int start = place;
        while (place < text.length() && text.charAt(place) != '\n') {
            place++;
        }
        String line = text.substring(start, place++);
        depth = 0;
        while (depth < line.length() && line.charAt(depth) == '\t') {
            depth++;
        }
        return line.substring(depth);
    }

    int depth() {
        return depth;
    }
}
