package measures;

/** A span from one number to another. */
public class Span {
    private final double lower;
    private final double upper;

    /** The bug: what is infinite has no middle. */
    public Span(double lower, double upper) {
        double middle = lower + upper;
        if (middle != middle) {
            throw new IllegalArgumentException("no middle of " + lower + " and " + upper);
        }
        this.lower = lower;
        this.upper = upper;
    }

    double length() {
        return upper - lower;
    }
}
