package crashback.runtime;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Listens to what the program logs with {@code java.util.logging}, while exceptions that do not
 * leave a test are looked for: what a program catches and logs is to be seen nowhere else. Levels
 * stay as they are, so that the program goes the same way. Nothing of the JDK is touched before
 * somebody listens.
 */
public final class Logs {
    /** Stands for the probe of what is logged, as {@code Caught::BY_LOGGER}. */
    private static final int LOGGED = Integer.MAX_VALUE - 2;

    private static Logger root;
    /** Null while nobody listens. */
    private static Handler listener;

    private Logs() {}

    /** Says whether tests are listened to from now on. */
    public static void listen(boolean listens) {
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
