package subject;

import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Exceptions that do not leave the program. */
public class Keeping {
    private static final Logger LOG = Logger.getLogger("subject");

    public static Exception kept() {
        return new IllegalStateException("kept");
    }

    public static Object hidden() {
        return new IllegalArgumentException("hidden");
    }

    public static Exception nothing() {
        return null;
    }

    public static Exception made(String message) {
        return new Exception(message);
    }

    public static void logs() {
        LOG.log(Level.WARNING, "logged", new UnsupportedOperationException(new ArithmeticException()));
        LOG.log(Level.FINEST, "not for anybody", new IllegalStateException());
        LOG.warning("without an exception");
    }

    /** From then on nobody hears anything. */
    public static void silences() {
        LogManager.getLogManager().reset();
    }

    public static void counts() {
        throw new IllegalStateException(Logger.getLogger("").getHandlers().length + " handlers");
    }
}
