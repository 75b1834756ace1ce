package home;

/** Members of every access, seen from the same package. */
class Home extends Base {
    int near;
    private int own;
    static int shared;
    final int fixed = own;
    volatile String text;
    int[] numbers;
    Object[][] table;

    Home() {}
    protected Home(String s) {}
    private Home(int[] numbers) {}

    static Object any() { return null; }
    static long sum(byte b, short s, char c, int i, long l, float f, double d, boolean z) { return 0; }
    void nearCall(Home home, Runnable runnable, Object[] objects) {}
    private void ownCall() {}
    private class Own { int o; }
    class Inner {
        Inner(String s) {}
        class Innermost {
            Innermost(int[] numbers) {}
        }
    }
    protected static class Guarded {
        int g;
        static class Deep {}
    }
    private static class Secret {
        static class Shared { static int s; }
    }
    interface Small { String name(); }
    enum Size { S, M, L }
}
