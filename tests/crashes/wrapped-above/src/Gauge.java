package tide;

/** Reads levels such as {@code 12:340}. */
public class Gauge {
    /** The bug: nothing follows the separator of a gauge that is switched off. */
    public int level(String reading) {
        int separator = reading.indexOf(':');
        if (separator < 0) {
            return 0;
        }
        return reading.charAt(separator + 1) - '0';
    }
}
