package well;

/** The power stations of the works. */
final class Grid {
    private Grid() {}

    static void reach(String name) {
        if (!Boolean.getBoolean("well." + name + ".inside") || System.getenv("WELL_KEY") == null) {
            throw new IllegalStateException("the grid cannot be reached from here");
        }
    }

    static int voltage(String name) {
        String key = System.getenv("WELL_KEY");
        if (key == null) {
            throw new IllegalStateException("no key for " + name);
        }
        return key.length() * 100;
    }
}
