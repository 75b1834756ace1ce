package scales;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Weighs what it can. What cannot be weighed is logged. */
public class Scale {
    private static final Logger LOG = LoggerFactory.getLogger(Scale.class);

    private int total;

    public void weigh(String label) {
        try {
            total += grams(label);
        } catch (RuntimeException failure) {
            LOG.error("{} is left out", label, failure);
        }
    }

    public int total() {
        return total;
    }

    private static int grams(String label) {
        String[] parts = label.split(":");
        return parts[1].length() * parts.length;
    }
}
