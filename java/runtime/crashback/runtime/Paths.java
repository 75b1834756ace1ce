package crashback.runtime;

import java.util.Arrays;

/**
 * The ways that tests take past the probes. Tests of a batch go the same ways again and again: a
 * way is written once, and named by its number after that.
 *
 * <p>A way is the sequence of places that a test came to, each at its first time: positions in the
 * call chain, and jumps, lines and blocks at a position. The ways of all tests make a tree, in
 * which every test goes down from the root; the node where it ends is its way. A node remembers
 * where the last test went on, so that most steps are one comparison.
 *
 * <p>The tree outlives tests, and any of them may be interrupted anywhere: a node is complete
 * before it can be found.
 */
final class Paths {
    /**
     * Kinds of places: a line or block, a jump that first jumps, one that first does not, a
     * position. A step has the kind in its lowest bits, above it the number of the probe, or 0, and
     * in its upper half the number of the position.
     */
    static final int REACHED = 0;
    static final int JUMPED = 1;
    static final int FELL = 2;
    static final int ENTERED = 3;
    private static final int KIND_BITS = 2;

    private static final long NO_STEP = -1;

    /** The most steps of a test. Places beyond are not recorded. */
    private static final int MOST_STEPS = 1 << 17;

    /** Beyond this many nodes the tree is given up after a test. */
    private static final int MOST = 1 << 17;

    /** Where the running test is. */
    private static int node;

    /**
     * For each node the step that leads to it, from where, and how many steps lead there from the
     * root.
     */
    private static long[] steps = new long[1024];
    private static int[] parents = new int[1024];
    private static int[] depths = new int[1024];
    /** For each node two numbers: the step that a test last went on with, and where that led. */
    private static long[] likely = new long[2048];
    private static int count;

    /**
     * Open addressing by parent and step: a node, or 0, since nothing leads to the root. At most
     * half is in use.
     */
    private static int[] table = new int[2048];

    /** For each node the last batch that wrote its way, and the number it has there. */
    private static int[] batches = new int[1024];
    private static int[] numbers = new int[1024];
    private static int batch;
    /** How many ways the batch has written. The way that leads nowhere counts as written. */
    private static int written;
    /** The way that was written since the last {@link #mark}, or the root. */
    private static int newest;

    static {
        clear();
    }

    private Paths() {}

    static void newBatch() {
        batch++;
        written = 1;
        newest = 0;
    }

    static void begin() {
        node = 0;
        if (count > MOST) {
            clear();
        }
    }

    /** Whether the test has taken all steps that are recorded. */
    static boolean isFull() {
        return depths[node] >= MOST_STEPS;
    }

    /**
     * A test comes to a place for the first time, at the position where it is. Tells whether that
     * could be noted.
     */
    static boolean step(int probe, int kind) {
        long step = (long) Chain.here.number << 32 | probe << KIND_BITS | kind;
        int from = node;
        if (likely[2 * from] == step) {
            node = (int) likely[2 * from + 1];
            return true;
        }
        return otherStep(from, step);
    }

    private static boolean otherStep(int from, long step) {
        int mask = table.length - 1;
        int i = hash(from, step) & mask;
        int to = table[i];
        while (to != 0 && !(parents[to] == from && steps[to] == step)) {
            i = i + 1 & mask;
            to = table[i];
        }
        if (to == 0) {
            to = add(from, step);
            if (to == 0) {
                return false;
            }
        }
        likely[2 * from] = NO_STEP;
        likely[2 * from + 1] = to;
        likely[2 * from] = step;
        node = to;
        return true;
    }

    private static int add(int from, long step) {
        if (depths[from] >= MOST_STEPS || count == numbers.length && !grow()) {
            return 0;
        }
        int added = count;
        steps[added] = step;
        parents[added] = from;
        depths[added] = depths[from] + 1;
        likely[2 * added] = NO_STEP;
        batches[added] = 0;
        count = added + 1;
        link(table, added);
        return added;
    }

    private static void link(int[] table, int added) {
        int mask = table.length - 1;
        int i = hash(parents[added], steps[added]) & mask;
        while (table[i] != 0) {
            i = i + 1 & mask;
        }
        table[i] = added;
    }

    /** The list that is replaced last is the one that is asked for its length. */
    private static boolean grow() {
        try {
            int length = 2 * count;
            long[] moreSteps = Arrays.copyOf(steps, length);
            int[] moreParents = Arrays.copyOf(parents, length);
            int[] moreDepths = Arrays.copyOf(depths, length);
            long[] moreLikely = Arrays.copyOf(likely, 2 * length);
            int[] moreBatches = Arrays.copyOf(batches, length);
            int[] moreNumbers = Arrays.copyOf(numbers, length);
            int[] larger = new int[2 * length];
            for (int i = 1; i < count; i++) {
                link(larger, i);
            }
            steps = moreSteps;
            parents = moreParents;
            depths = moreDepths;
            likely = moreLikely;
            batches = moreBatches;
            table = larger;
            numbers = moreNumbers;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private static int hash(int from, long step) {
        int hash = (from * 0x9E3779B1 ^ (int) step ^ (int) (step >>> 32) * 0xC2B2AE35) * 0x85EBCA6B;
        return hash ^ hash >>> 15;
    }

    /** What is written from now on can be taken back. */
    static void mark() {
        newest = 0;
    }

    /** Takes back what was written since. */
    static void takeBack() {
        if (newest != 0) {
            batches[newest] = 0;
            newest = 0;
            written--;
        }
    }

    /** The number of the test's way, and the way itself if the batch has not written it. */
    static void encode() {
        int end = node;
        if (end == 0) {
            Encoding.one(0);
        } else if (batches[end] == batch) {
            Encoding.unsigned(numbers[end]);
        } else {
            introduce(end);
        }
    }

    private static void introduce(int end) {
        long[] way = new long[depths[end]];
        for (int at = end, i = way.length; at != 0; at = parents[at]) {
            way[--i] = steps[at];
        }
        Encoding.unsigned(written);
        Encoding.unsigned(way.length);
        for (int i = 0; i < way.length; i++) {
            Encoding.unsigned((int) way[i]);
            Encoding.position((int) (way[i] >>> 32));
        }
        numbers[end] = written++;
        newest = end;
        batches[end] = batch;
    }

    /** The root alone. Numbers that the batch has given away stay so. */
    private static void clear() {
        Arrays.fill(table, 0);
        likely[0] = NO_STEP;
        count = 1;
        node = 0;
    }
}
