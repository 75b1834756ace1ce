package gauge;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Reads what it can. What cannot be read is logged. */
public class Meter {
    private static final Logger LOG = Logger.getLogger(Meter.class.getName());

    private int total;

    public void read(String line) {
        try {
            total += value(line);
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "a line is left out", failure);
        }
    }

    public int total() {
        return total;
    }

    private static int value(String line) {
        String[] parts = line.split("=");
        return Integer.parseInt(parts[1].trim());
    }
}
