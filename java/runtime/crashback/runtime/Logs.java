package crashback.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Listens to what the program logs, while exceptions that do not leave a test are looked for: what a
 * program catches and logs is to be seen nowhere else. Levels stay as they are, so that the program
 * goes the same way. Nothing of the JDK is touched before somebody listens; other logging libraries
 * tell of their events themselves, by probes.
 */
public final class Logs {
    /**
     * Stands for the probe of what is logged with the first of {@code Logging::ALL}, as {@code
     * Caught::BY_LOGGER}; the others follow below it.
     */
    private static final int LOGGED = Integer.MAX_VALUE - 2;

    /**
     * How events of the others are asked for their exception, one call after the other: Logback,
     * Log4j 2, Log4j 1.
     */
    private static final String[][] GETTERS = {
        {"getThrowableProxy", "getThrowable"}, {"getThrown"}, {"getThrowableInformation", "getThrowable"}
    };

    private static Logger root;
    /** Null while nobody listens. */
    private static Handler listener;

    private static boolean listens;

    private Logs() {}

    /** Says whether tests are listened to from now on. */
    public static void listen(boolean listens) {
        Logs.listens = listens;
        if (listener != null) {
            root.removeHandler(listener);
            listener = null;
        }
        if (listens) {
            root = Logger.getLogger("");
            listener = new Listener();
        }
    }

    /** Before a test. One before it may have removed all handlers. */
    static void begin() {
        if (listener == null) {
            return;
        }
        for (Handler handler : root.getHandlers()) {
            if (handler == listener) {
                return;
            }
        }
        root.addHandler(listener);
    }

    /** A logging library of the program is about to hand out an event. */
    static void logged(Object event) {
        if (!listens || event == null) {
            return;
        }
        for (int i = 0; i < GETTERS.length; i++) {
            Object thrown = event;
            for (String getter : GETTERS[i]) {
                thrown = thrown == null ? null : ask(thrown, getter);
            }
            if (thrown instanceof Throwable) {
                Probes.caught(thrown, LOGGED - 1 - i);
                return;
            }
        }
    }

    /** What a getter yields; null if there is none. */
    private static Object ask(Object object, String getter) {
        try {
            Method method = object.getClass().getMethod(getter);
            method.setAccessible(true);
            return method.invoke(object);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof TestEnd) {
                throw (TestEnd) e.getCause();
            }
            return null;
        } catch (Exception e) {
            return null;
        }
    }

    /** Tells of exceptions, and keeps nothing. */
    private static final class Listener extends Handler {
        @Override
        public void publish(LogRecord record) {
            if (record != null) {
                Probes.caught(record.getThrown(), LOGGED);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
