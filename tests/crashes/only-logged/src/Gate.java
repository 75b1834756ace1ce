package gates;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Counts who passes. A ticket of the wrong day is logged with the way that it came, and passes. */
public class Gate {
    private static final Logger LOG = Logger.getLogger(Gate.class.getName());

    private int passed;

    public void pass(int ticket) {
        check(ticket % 7);
        passed++;
    }

    public int passed() {
        return passed;
    }

    private void check(int day) {
        if (day == 5) {
            LOG.log(Level.WARNING, "wrong day", new IllegalStateException("day " + day));
        }
    }
}
