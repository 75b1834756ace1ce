import java.util.ArrayList;
import java.util.List;

/** A class with mutable statics, as caches and registries have them. */
public final class Statics {
    private Statics() {}

    private static int calls;
    private static final List<String> SEEN = new ArrayList<>();
    private static String longest = "";

    public static int note(String text) {
        calls++;
        SEEN.add(text);
        if (text.length() > longest.length()) {
            longest = text;
        }
        return calls + SEEN.size() + longest.length();
    }

    public static int fail(String text) {
        note(text);
        throw new IllegalStateException(longest);
    }
}
