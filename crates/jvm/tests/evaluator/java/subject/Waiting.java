package subject;

/** Has a class around that sees only what was set before it was first used. */
public class Waiting {
    static String setting;

    public static void set(String text) {
        setting = text;
        throw new IllegalStateException(Seen.SETTING);
    }

    static class Seen {
        static final String SETTING = setting;
    }
}
