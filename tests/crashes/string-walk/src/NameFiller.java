package letters;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Replaces a name in <code>${…}</code> by its capitals. */
public class NameFiller extends Filler {
    /** The bug: a name that nothing closes is walked beyond the end of the text. */
    @Override
    public int fill(CharSequence text, int position, Writer out) throws IOException {
        boolean opens = text.charAt(position) == '$' && position < text.length() - 2;
        if (opens && text.charAt(position + 1) == '{') {
            int start = position + 2;
            int end = start;
            while (text.charAt(end) != '}') {
                end++;
            }
            out.write(text.subSequence(start, end).toString().toUpperCase(Locale.ROOT));
            return end + 1 - position;
        }
        return 0;
    }
}
