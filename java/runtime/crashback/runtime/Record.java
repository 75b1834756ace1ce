package crashback.runtime;

import java.util.Arrays;

/**
 * What the running test did so far.
 *
 * <p>A probe has a slot at every {@link Position} in the call chain. The first time a test comes
 * by, the slot gets the place of an entry in the lists below, as {@link #base} plus that place;
 * since every test has a base beyond all places of the one before, nothing is cleared between
 * tests. Counts grow before slots are written: then no slot that an interrupted test leaves behind
 * looks like one of the next. {@link Paths} remembers which positions were entered, which jumps,
 * lines and blocks there were, and in which order.
 *
 * <p>All bounds are on one test, so that what is recorded does not depend on the tests before it.
 */
final class Record {
    /** What the result of a call probe will be where it says no: {@code false}. */
    static final int FLAG = 1;
    /** The same for an index: -1. */
    static final int INDEX = 2;
    /** The same for a reference: null. */
    static final int REFERENCE = 3;

    /**
     * A distance of which nothing is known but that it is not 0. It is finite, as x / (x + 1) must
     * be a number.
     */
    static final double FAR = Double.MAX_VALUE;

    private static final int EQ = 0;
    private static final int NE = 1;
    private static final int LT = 2;
    private static final int GE = 3;
    private static final int GT = 4;
    private static final int LE = 5;
    private static final int RELATION = 7;
    private static final int NAN_IS_GREATER = 8;
    private static final int NONE = 32;

    /** Switches kept, counting each position of one. */
    private static final int MOST_SWITCHES = 1 << 14;
    /** Keys kept of a switch. */
    static final int MOST_KEYS = 16;
    /** Caught exceptions kept. */
    static final int MOST_CAUGHT = 16;

    /** By probe: the relation that a jump tests. */
    private static byte[] meanings = {};
    private static boolean keepOperands;

    static int base = 1;

    /**
     * How near jumps came to the side that they did not take: as a negative number where they fell
     * through the first time, 0 where they took both.
     */
    static double[] distances = new double[64];
    static int branches;

    static int[] switchProbes = new int[16];
    static int[] switchPositions = new int[16];
    static int[] switchKeyCounts = new int[16];
    static int[] switchKeys = new int[16 * MOST_KEYS];
    static int switches;

    static final int[] caughtProbes = new int[MOST_CAUGHT];
    static final int[] caughtPositions = new int[MOST_CAUGHT];
    static final Throwable[] caughtThrowables = new Throwable[MOST_CAUGHT];
    static int caught;

    /**
     * The kind of the call whose result has not been tested yet, or 0, and how far it was from
     * saying yes.
     */
    private static int pending;
    private static double pendingDistance;

    private Record() {}

    static void configure(byte[] jumpCodes, int[] chain, boolean operands) {
        byte[] meanings = new byte[jumpCodes.length];
        for (int i = 0; i < jumpCodes.length; i++) {
            meanings[i] = (byte) meaning(jumpCodes[i] & 0xff);
        }
        Record.meanings = meanings;
        keepOperands = operands;
        Chain.configure(chain);
        Operands.configure(jumpCodes.length);
        Variables.configure(jumpCodes);
        base = 1;
        begin();
    }

    /** From the opcode of a jump (JVMS 6.5) and the bit for NaN. */
    private static int meaning(int code) {
        int opcode = code & ~0x40;
        if (opcode >= 0x99 && opcode <= 0x9e) { // ifeq to ifle
            return opcode - 0x99 | ((code & 0x40) != 0 ? NAN_IS_GREATER : 0);
        }
        if (code >= 0x9f && code <= 0xa4) { // if_icmpeq to if_icmple
            return code - 0x9f;
        }
        switch (code) {
            case 0xa5: // if_acmpeq
            case 0xc6: // ifnull
                return EQ;
            case 0xa6: // if_acmpne
            case 0xc7: // ifnonnull
                return NE;
            default:
                return NONE;
        }
    }

    static void begin() {
        int entries = Math.max(Math.max(branches, switches), Math.max(Accesses.count, Variables.count));
        base += Math.max(1, entries);
        if (base > 1 << 30) {
            Chain.forget();
            base = 1;
        }
        branches = 0;
        switches = 0;
        Accesses.count = 0;
        Variables.count = 0;
        forgetCaught();
        pending = 0;
        Chain.begin();
        Operands.begin();
        Arguments.begin();
        Mocks.begin();
        Words.begin();
        Missed.begin();
        Paths.begin();
    }

    /** Whether there is more than places and distances. */
    static boolean hasMore() {
        return (switches | caught | Operands.count) != 0;
    }

    // Frames.

    static void enter(int frame) {
        if (Chain.enter(frame) && Chain.here.entered < base) {
            firstEntered(Chain.here);
        }
    }

    private static void firstEntered(Position position) {
        if (Paths.step(0, Paths.ENTERED)) {
            position.entered = base;
        }
    }

    static void leave(int frame) {
        Chain.leave(frame);
    }

    // Places.

    static void reach(int probe) {
        if (slot(probe) < base) {
            firstReached(probe);
        }
    }

    private static void firstReached(int probe) {
        int[] page = Chain.here.page(probe);
        if (page != null && Paths.step(probe, Paths.REACHED)) {
            page[probe & Position.PAGE_MASK] = base;
        }
    }

    /** The slot of a probe at the position where the test is; 0 where there is none yet. */
    private static int slot(int probe) {
        int[][] pages = Chain.pages;
        int page = probe >>> Position.PAGE_BITS;
        return page < pages.length ? pages[page][probe & Position.PAGE_MASK] : 0;
    }

    // Lists that are kept elsewhere.

    /**
     * The place in its list of the entry of a probe at the position where the test is; negative
     * where it has none yet.
     */
    static int place(int probe) {
        return slot(probe) - base;
    }

    /** Whether a probe can have an entry at the position where the test is. */
    static boolean hasRoom(int probe) {
        return Chain.here.page(probe) != null;
    }

    /** A probe has an entry from now on. There must be room, and the list must count it already. */
    static void setPlace(int probe, int at) {
        Chain.here.page(probe)[probe & Position.PAGE_MASK] = base + at;
    }

    // Jumps. One side of a jump has distance 0; the distance to the other is that of Korel and
    // Tracey as McMinn (2004) tabulates them, with K = 1.

    static void jump(int value, int probe) {
        int meaning = meaningOf(probe);
        if (pending == 0 || !takePending(value, 0, meaning, probe)) {
            compare(probe, meaning, (long) value);
        }
    }

    static void jump(int left, int right, int probe) {
        int meaning = meaningOf(probe);
        if (pending == 0 || !takePending(left, right, meaning, probe)) {
            compare(probe, meaning, (long) left - right);
            if (keepOperands && left != right) {
                Operands.integers(probe, left, right);
            }
        }
    }

    static void jump(long left, long right, int probe) {
        pending = 0;
        compare(probe, meaningOf(probe), difference(left, right));
        if (keepOperands && left != right) {
            Operands.integers(probe, left, right);
        }
    }

    static void jump(double left, double right, int probe) {
        pending = 0;
        int meaning = meaningOf(probe);
        if (left != left || right != right) {
            boolean jumps = holds(meaning & RELATION, (meaning & NAN_IS_GREATER) != 0 ? 1 : -1);
            if (meaning != NONE) {
                branch(probe, jumps, FAR);
            }
            return;
        }
        double difference = left == right ? 0 : left - right;
        compare(probe, meaning, Math.max(-FAR, Math.min(FAR, difference)));
        if (keepOperands && difference != 0) {
            Operands.floats(probe, left, right);
        }
    }

    static void jump(Object value, int probe) {
        int meaning = meaningOf(probe);
        boolean found = pending == REFERENCE && value == null;
        pending = 0;
        if (meaning != NONE) {
            branch(probe, (value == null) == (meaning == EQ), found ? pendingDistance : 1);
        }
    }

    static void jump(Object left, Object right, int probe) {
        pending = 0;
        int meaning = meaningOf(probe);
        if (meaning != NONE) {
            branch(probe, (left == right) == (meaning == EQ), 1);
        }
    }

    private static int meaningOf(int probe) {
        return probe < meanings.length ? meanings[probe] : NONE;
    }

    /**
     * As if without overflow: what overflows is right when taken without sign. Its last bit
     * survives the halving, so that it is rounded once.
     */
    static double difference(long left, long right) {
        long difference = left - right;
        if (((left ^ right) & (left ^ difference)) >= 0) {
            return difference;
        }
        long magnitude = left > right ? difference : -difference;
        double half = magnitude >>> 1 | magnitude & 1;
        return left > right ? 2 * half : -2 * half;
    }

    /**
     * The difference has the sign of what the jump compares with 0. Neighbouring relations are
     * opposites.
     */
    private static void compare(int probe, int meaning, long difference) {
        boolean even;
        long away;
        switch (meaning >> 1) {
            case EQ >> 1:
                even = difference == 0;
                away = even ? 1 : Math.abs(difference);
                break;
            case LT >> 1:
                even = difference < 0;
                away = even ? -difference : difference + 1;
                break;
            case GT >> 1:
                even = difference > 0;
                away = even ? difference : 1 - difference;
                break;
            default:
                return;
        }
        branch(probe, even == ((meaning & 1) == 0), away);
    }

    private static void compare(int probe, int meaning, double difference) {
        boolean even;
        double away;
        switch ((meaning & ~NAN_IS_GREATER) >> 1) {
            case EQ >> 1:
                even = difference == 0;
                away = even ? 1 : Math.abs(difference);
                break;
            case LT >> 1:
                even = difference < 0;
                away = even ? -difference : difference + 1;
                break;
            case GT >> 1:
                even = difference > 0;
                away = even ? difference : 1 - difference;
                break;
            default:
                return;
        }
        branch(probe, even == ((meaning & 1) == 0), away);
    }

    private static boolean holds(int relation, long difference) {
        switch (relation) {
            case EQ:
                return difference == 0;
            case NE:
                return difference != 0;
            case LT:
                return difference < 0;
            case GE:
                return difference >= 0;
            case GT:
                return difference > 0;
            default:
                return difference <= 0;
        }
    }

    /** A jump, or what is told like one, came this near to the side that it did not take. */
    static void branch(int probe, boolean jumps, double away) {
        int at = slot(probe) - base;
        if (at < 0) {
            firstBranch(probe, jumps, away);
            return;
        }
        double known = distances[at];
        if (known == 0) {
            return;
        }
        if (jumps != known > 0) {
            distances[at] = 0;
        } else if (away < Math.abs(known)) {
            distances[at] = jumps ? away : -away;
        }
    }

    private static void firstBranch(int probe, boolean jumps, double away) {
        int[] page = Chain.here.page(probe);
        int at = branches;
        if (page == null || at == distances.length && !growBranches()) {
            return;
        }
        if (Paths.step(probe, jumps ? Paths.JUMPED : Paths.FELL)) {
            distances[at] = jumps ? away : -away;
            branches = at + 1;
            page[probe & Position.PAGE_MASK] = base + at;
        }
    }

    private static boolean growBranches() {
        try {
            distances = Arrays.copyOf(distances, 2 * branches);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    // Calls whose result the next jump tests.

    /**
     * A call of a kind says no and would say yes at this distance; 0 or less when nothing is known.
     */
    static void expect(int kind, double distance) {
        pending = distance > 0 ? kind : 0;
        pendingDistance = distance;
    }

    static void operands(int probe, Object left, Object right) {
        if (keepOperands) {
            Operands.objects(probe, left, right);
        }
    }

    /**
     * Whether the jump tests what the last call said. The result that says yes comes right after
     * the one that says no: 1 after 0, 0 after -1.
     */
    private static boolean takePending(int left, int right, int meaning, int probe) {
        int no = pending == FLAG ? 0 : -1;
        boolean fits = pending != REFERENCE && left == no && meaning < NAN_IS_GREATER;
        pending = 0;
        if (!fits) {
            return false;
        }
        boolean jumps = holds(meaning, (long) no - right);
        if (jumps == holds(meaning, (long) no + 1 - right)) {
            return false;
        }
        branch(probe, jumps, pendingDistance);
        return true;
    }

    // Switches.

    static void switchText(Object text, int probe) {
        if (keepOperands && text instanceof String) {
            Operands.text(probe, (String) text);
        }
    }

    static void switchKey(int key, int probe) {
        int at = slot(probe) - base;
        if (at < 0) {
            at = newSwitch(probe);
            if (at < 0) {
                return;
            }
        }
        int first = at * MOST_KEYS;
        int end = first + switchKeyCounts[at];
        for (int i = first; i < end; i++) {
            if (switchKeys[i] == key) {
                return;
            }
        }
        if (end < first + MOST_KEYS) {
            switchKeys[end] = key;
            switchKeyCounts[at]++;
        }
    }

    private static int newSwitch(int probe) {
        int[] page = Chain.here.page(probe);
        int at = switches;
        if (page == null || at == MOST_SWITCHES || at == switchProbes.length && !growSwitches()) {
            return -1;
        }
        switchProbes[at] = probe;
        switchPositions[at] = Chain.here.number;
        switchKeyCounts[at] = 0;
        switches = at + 1;
        page[probe & Position.PAGE_MASK] = base + at;
        return at;
    }

    private static boolean growSwitches() {
        try {
            int length = 2 * switches;
            int[] probes = Arrays.copyOf(switchProbes, length);
            int[] positions = Arrays.copyOf(switchPositions, length);
            int[] counts = Arrays.copyOf(switchKeyCounts, length);
            int[] keys = Arrays.copyOf(switchKeys, length * MOST_KEYS);
            switchProbes = probes;
            switchPositions = positions;
            switchKeyCounts = counts;
            switchKeys = keys;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    // Exceptions.

    /** Of each class the first that comes to a handler is kept. */
    static void caught(Throwable thrown, int probe) {
        pending = 0;
        for (int i = 0; i < caught; i++) {
            if (caughtProbes[i] == probe
                    && caughtPositions[i] == Chain.here.number
                    && caughtThrowables[i].getClass() == thrown.getClass()) {
                return;
            }
        }
        if (caught < MOST_CAUGHT) {
            caughtProbes[caught] = probe;
            caughtPositions[caught] = Chain.here.number;
            caughtThrowables[caught] = thrown;
            caught++;
        }
    }

    /** Throwables hold on to the classes of the program. */
    static void forgetCaught() {
        for (int i = 0; i < caught; i++) {
            caughtThrowables[i] = null;
        }
        caught = 0;
    }
}
