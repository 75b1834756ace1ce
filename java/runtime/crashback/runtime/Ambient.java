package crashback.runtime;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;

/**
 * What a test can change in the JDK for those after it: {@link #install} says how it shall be,
 * {@link #restore} makes it so again. Both are called on the thread that runs the tests.
 */
public final class Ambient {
    private static Locale locale;
    private static TimeZone zone;
    private static WatchedProperties properties;
    private static PrintStream out;
    private static PrintStream err;
    private static InputStream in;

    private static Thread thread;
    private static String name;
    private static int priority;
    private static ClassLoader loader;
    private static Thread.UncaughtExceptionHandler handler;

    private Ambient() {}

    /** Takes what is now as what shall be, but for the streams, which lead nowhere. */
    public static void install() {
        locale = Locale.getDefault();
        zone = TimeZone.getDefault();
        properties = new WatchedProperties(System.getProperties());
        out = new Sink();
        err = new Sink();
        in = new Empty();
        thread = Thread.currentThread();
        name = thread.getName();
        priority = thread.getPriority();
        handler = Thread.getDefaultUncaughtExceptionHandler();
        loader = thread.getContextClassLoader();
        restore();
    }

    /** Before a test. The worker may have given the thread another context class loader. */
    static void begin() {
        loader = Thread.currentThread().getContextClassLoader();
    }

    /**
     * After a test, and again when other threads have been ended. Without {@link #install} there
     * is nothing to restore.
     */
    public static void restore() {
        if (thread == null) {
            return;
        }
        streams();
        thread();
        if (System.getProperties() != properties) {
            System.setProperties(properties);
        }
        if (properties.dirty) {
            properties.restore();
        }
        if (Locale.getDefault() != locale
                || Locale.getDefault(Locale.Category.FORMAT) != locale
                || Locale.getDefault(Locale.Category.DISPLAY) != locale) {
            Locale.setDefault(locale);
        }
        Hidden.restore(thread, zone);
    }

    private static void streams() {
        if (System.out != out) {
            System.setOut(out);
        }
        if (System.err != err) {
            System.setErr(err);
        }
        if (System.in != in) {
            System.setIn(in);
        }
    }

    private static void thread() {
        Thread current = thread;
        if (current.isInterrupted()) {
            Thread.interrupted();
        }
        if (current.getContextClassLoader() != loader) {
            current.setContextClassLoader(loader);
        }
        if (current.getName() != name) {
            current.setName(name);
        }
        if (current.getPriority() != priority) {
            current.setPriority(priority);
        }
        if (current.getUncaughtExceptionHandler() != current.getThreadGroup()) {
            current.setUncaughtExceptionHandler(null);
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != handler) {
            Thread.setDefaultUncaughtExceptionHandler(handler);
        }
    }
}
