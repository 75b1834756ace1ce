package crashback.runtime;

/**
 * What {@code java.lang.Thread} calls once the worker has rewritten it. The worker's own code
 * counts the calls, so that a look at the counts after every test costs nothing; a start is counted
 * before the thread that it starts can do anything.
 */
public final class Threads {
    private Threads() {}

    /** A thread is about to be started. */
    public static native void starting();

    /** A virtual thread is about to be created. */
    public static native void creatingVirtual();
}
