package crashback.runtime;

import java.util.Arrays;

/**
 * The ways that tests take past the probes. Tests of a batch go the same ways again and again: a
 * way is written once, and named by its number after that.
 *
 * <p>A way is the sequence of places that a test came to, each at its first time. The ways of all
 * tests make a tree, in which every test goes down from the root; the node where it ends is its
 * way. A node remembers where the last test went on, so that most steps are one comparison.
 *
 * <p>The tree outlives tests, and any of them may be interrupted anywhere: a node is complete
 * before it can be found.
 */
final class Paths {
    /** Kinds of places, in the lowest bits of a step: a line or block, a jump that first jumps, one that first does not. */
    static final int REACHED = 0;
    static final int JUMPED = 1;
    static final int FELL = 2;
    static final int KIND_BITS = 2;

    private static final int NO_STEP = -1;

    /** Beyond this many nodes the tree is given up after a test. */
    private static final int MOST = 1 << 17;

    /** Where the running test is. */
    private static int node;

    /** For each node the step that leads to it, and from where. */
    private static int[] steps = new int[1024];
    private static int[] parents = new int[1024];
    /** For each node two numbers: the step that a test last went on with, and where that led. */
    private static int[] likely = new int[2048];
    private static int count;

    /** Open addressing by parent and step: a node, or 0, since nothing leads to the root. At most half is in use. */
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

    /** A test comes to a place for the first time. Tells whether that could be noted. */
    static boolean step(int step) {
        int from = node;
        if (likely[2 * from] == step) {
            node = likely[2 * from + 1];
            return true;
        }
        return otherStep(from, step);
    }

    private static boolean otherStep(int from, int step) {
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
        likely[2 * from + 1] = to;
        likely[2 * from] = step;
        node = to;
        return true;
    }

    private static int add(int from, int step) {
        if (count == numbers.length && !grow()) {
            return 0;
        }
        int added = count;
        steps[added] = step;
        parents[added] = from;
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
            int[] moreSteps = Arrays.copyOf(steps, length);
            int[] moreParents = Arrays.copyOf(parents, length);
            int[] moreLikely = Arrays.copyOf(likely, 2 * length);
            int[] moreBatches = Arrays.copyOf(batches, length);
            int[] moreNumbers = Arrays.copyOf(numbers, length);
            int[] larger = new int[2 * length];
            for (int i = 1; i < count; i++) {
                link(larger, i);
            }
            steps = moreSteps;
            parents = moreParents;
            likely = moreLikely;
            batches = moreBatches;
            table = larger;
            numbers = moreNumbers;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private static int hash(int from, int step) {
        int hash = (from * 0x9E3779B1 ^ step) * 0x85EBCA6B;
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
        int length = 0;
        for (int at = end; at != 0; at = parents[at]) {
            length++;
        }
        int[] way = new int[length];
        for (int at = end; at != 0; at = parents[at]) {
            way[--length] = steps[at];
        }
        Encoding.unsigned(written);
        Encoding.unsigned(way.length);
        int levels = Chain.levels;
        for (int i = 0; i < way.length; i++) {
            int slot = way[i] >>> KIND_BITS;
            int kind = way[i] & (1 << KIND_BITS) - 1;
            Encoding.unsigned(slot / levels << KIND_BITS | kind);
            Encoding.unsigned(slot % levels);
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
