package letters;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;

/** Replaces parts of a text from its beginning to its end. */
public abstract class Filler {
    /** Writes the replacement of what begins at the position, and tells how long that was, or 0. */
    public abstract int fill(CharSequence text, int position, Writer out) throws IOException;

    public final String fill(CharSequence text) throws IOException {
        if (text == null) {
            return null;
        }
        StringWriter out = new StringWriter(text.length() * 2);
        fill(text, out);
        return out.toString();
    }

    public final void fill(CharSequence text, Writer out) throws IOException {
        if (out == null) {
            throw new IllegalArgumentException("There is nothing to write to");
        }
        int position = 0;
        while (position < text.length()) {
            int length = fill(text, position, out);
            if (length == 0) {
                out.write(text.charAt(position));
                length = 1;
            }
            position += length;
        }
    }
}
