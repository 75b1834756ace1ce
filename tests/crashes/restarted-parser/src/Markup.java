package notes;

/** Turns notes into HTML. A link stands in square brackets. */
public class Markup {
    private final String text;
    private final StringBuilder html = new StringBuilder();
    private int links;

    public Markup(String text) {
        this.text = text;
    }

    public String render() {
        block(0);
        return html + ", links: " + links;
    }

    private void block(int from) {
        int at = from;
        while (isPlain(at)) {
            html.append(text.charAt(at));
            at++;
        }
        if (at < text.length()) {
            link(at + 1);
        }
    }

    private boolean isPlain(int at) {
        return at < text.length() && text.charAt(at) != '[';
    }

    private void link(int from) {
        int end = text.indexOf(']', from);
        links++;
        rest(end);
    }

    private void rest(int end) {
        block(end + 1);
    }
}
