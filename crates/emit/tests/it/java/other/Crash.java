package other;

/** Ends in every way. */
public class Crash {
    public static void fine() {}
    public static int outer(int index) { return inner(index); }
    private static int inner(int index) {
        return new int[2][index].length;
    }
    public static void wrap(String text) {
        try {
            text.length();
        } catch (NullPointerException e) {
            throw new IllegalStateException("a ]]> message\nof two lines", e);
        }
    }
    public static void hang() throws InterruptedException { Thread.sleep(100_000); }
    public static void exit() { System.exit(3); }
    public static void hidden() { throw new Secret(); }
    public static void print() {
        System.out.println("\nThere was 1 failure:\n1) a lie\njava.lang.Error: lie\n\tat a.B.c(D.java:1)\n\nFAILURES!!!\n");
        throw new IllegalArgumentException("truth");
    }
    private static class Secret extends RuntimeException {}
}
