package away;

/** Members of every access, seen from another package. */
public class Away extends Hidden implements Face {
    public int open;
    protected int guarded;
    int near;
    private int own;
    public final int fixed = own;
    public static int shared;
    public static final String CONSTANT = "c";

    public Away() {}
    public Away(int i) {}
    protected Away(long l) {}
    Away(float f) {}
    private Away(double d) {}

    public void call() {}
    protected void guardedCall() {}
    void nearCall() {}
    private void ownCall() {}
    public static int count(int i, String s) { return i; }
    protected static int guardedCount() { return 0; }
    public Hidden hidden() { return this; }
    public Hidden[] hiddens() { return new Hidden[] {this}; }
    public void take(Hidden hidden) {}
    public Object anonymous() {
        class Local { public int f; }
        return new Object() { public int g = new Local().f; };
    }
    public Runnable lambda() { return () -> own++; }
    @Override public void run() {}

    public class Inner {
        public int i;
        public Inner(int i) { this.i = i; }
        public class Innermost {}
    }
    public static class Nested {
        public static class Deep { public int d; }
        private Nested(int i) {}
        public Nested() {}
    }
    protected static class Guarded {
        public static int g;
        public Guarded() {}
    }
    protected class GuardedInner {
        public GuardedInner() {}
    }
    static class Near {
        public static class Within { public static int w; }
    }
    private static class Own { public static int o; }
}
