package depot;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps and logs what goes wrong. */
public class Keeper {
    public final Kept kept = new Kept();

    public void work(String text) {
        try {
            text.trim();
        } catch (RuntimeException failure) {
            kept.failure = new IllegalStateException("wrapped", failure);
            Logger.getLogger("depot").log(Level.WARNING, "left out", kept.failure);
        }
    }

    public Kept kept() { return kept; }

    public static class Kept {
        public RuntimeException failure;

        public Exception failure() { return failure; }
        public Object result() { return failure; }
        public <T extends Throwable> T checked() throws java.io.IOException { return null; }
    }
}
