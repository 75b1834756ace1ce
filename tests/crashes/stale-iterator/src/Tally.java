package tally;

import java.util.Iterator;

/** Adds up what others count. */
public class Tally {
    private int total;

    /** The bug: whoever counts may go on doing so. */
    public int add(Iterator<Integer> counts) {
        while (counts.hasNext()) {
            total += counts.next();
        }
        return total;
    }
}
