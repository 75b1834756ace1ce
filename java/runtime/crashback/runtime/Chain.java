package crashback.runtime;

import java.util.Arrays;

/**
 * Where in the target call chain the test is.
 *
 * <p>Of the methods that are running now, take those on the chain, outermost first. The position is
 * the longest end of this sequence that occurs in the chain, given as the places where it occurs
 * first. So it tells for every frame of the chain how many methods are running one inside the other
 * from that frame inwards, also where recursion makes a method come at several places.
 *
 * <p>The position behind another one depends on nothing but the method that is entered. Positions
 * and the steps between them are worked out when a test first takes them, and kept for later tests;
 * which ones are known makes no difference to what is recorded. There are at most as many as the
 * chain has different parts.
 */
final class Chain {
    /**
     * Frames of a longer chain that lie further inside are not followed: positions have 16 bits for
     * a place.
     */
    private static final int MOST_FRAMES = 1 << 15;

    /**
     * Running methods beyond this are not told. How many fit on the stack depends on compiled code,
     * so a test that goes so far and recovers must not be told from others.
     */
    private static final int MOST_DEPTH = 256;

    /** What positions hold beyond this is given up between tests. */
    private static final int MOST_SIZE = 1 << 22;

    /** Where the test is. */
    static Position here = new Position(0, 0, 0);
    /** The pages of that position. */
    static int[][] pages = here.pages;

    /**
     * By frame probe: number of the method of the chain, plus 1; 0 for methods that are not on it.
     */
    private static int[] methods = {};
    /** The methods of the chain, outermost first. */
    private static int[] chain = {};
    /** How many different ones there are. */
    private static int different;

    /** All positions that are known; the first is outside of the chain. */
    private static Position[] positions = {here};
    private static int count = 1;

    /** The running methods, by their frame probes, and the position around each. */
    private static int[] frames = new int[64];
    private static Position[] around = new Position[64];
    private static int depth;
    /** The most that were running in this test. */
    private static int deepest;

    private Chain() {}

    /** Takes the frame probes of the chain, outermost first. */
    static void configure(int[] probes) {
        int most = 0;
        for (int i = 0; i < probes.length; i++) {
            most = Math.max(most, probes[i] + 1);
        }
        methods = new int[most];
        chain = new int[Math.min(probes.length, MOST_FRAMES)];
        different = 0;
        for (int i = 0; i < chain.length; i++) {
            if (methods[probes[i]] == 0) {
                methods[probes[i]] = ++different;
            }
            chain[i] = methods[probes[i]] - 1;
        }
        forget();
    }

    /** A test begins, outside of the chain. */
    static void begin() {
        if (Position.size > MOST_SIZE) {
            forget();
        }
        move(positions[0]);
        depth = 0;
        deepest = 0;
    }

    /**
     * How many methods of the chain were running one inside the other at most, if one of them comes
     * several times in it.
     */
    static int deepest() {
        return different < chain.length ? Math.min(deepest, MOST_DEPTH) : 0;
    }

    /** Forgets all positions, with what was recorded there. */
    static void forget() {
        Position.size = 0;
        positions = new Position[64];
        positions[0] = new Position(0, 0, different);
        count = 1;
        move(positions[0]);
        Arrays.fill(around, null);
        depth = 0;
    }

    /** A method is entered. Tells whether it is on the chain. */
    static boolean enter(int frame) {
        int method = frame < methods.length ? methods[frame] - 1 : -1;
        int at = depth;
        if (method < 0 || at == frames.length && !grow()) {
            return false;
        }
        Position from = here;
        Position to = from.next[method];
        if (to == null) {
            to = step(from, method);
            if (to == null) {
                return false;
            }
        }
        frames[at] = frame;
        around[at] = from;
        depth = at + 1;
        if (at >= deepest) {
            deepest = at + 1;
        }
        move(to);
        return true;
    }

    /**
     * A method is left, and with it those inside that were left unseen. Nothing happens when it has
     * been left before.
     */
    static void leave(int frame) {
        int at = depth - 1;
        while (at >= 0 && frames[at] != frame) {
            at--;
        }
        if (at >= 0) {
            depth = at;
            move(around[at]);
        }
    }

    private static void move(Position to) {
        here = to;
        pages = to.pages;
    }

    /** The position behind another one, or null for want of memory. */
    private static Position step(Position from, int method) {
        int last = 0;
        int length = 0;
        int most = from.length() + 1;
        for (int place = 0; place < chain.length && length < most; place++) {
            if (chain[place] == method) {
                int common = 1 + common(from, place - 1);
                if (common > length) {
                    length = common;
                    last = place;
                }
            }
        }
        try {
            Position to = find(last, length);
            from.next[method] = to;
            return to;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** How many methods the chain up to a place and a position end with alike. */
    private static int common(Position position, int place) {
        int most = Math.min(position.length(), place + 1);
        int last = position.last();
        int common = 0;
        while (common < most && chain[place - common] == chain[last - common]) {
            common++;
        }
        return common;
    }

    /**
     * The position with these places. It is complete before it can be found: any test may be
     * interrupted anywhere.
     */
    private static Position find(int last, int length) {
        int number = last << 16 | length;
        for (int i = 0; i < count; i++) {
            if (positions[i].number == number) {
                return positions[i];
            }
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
        }
        Position added = new Position(last, length, different);
        positions[count] = added;
        count++;
        return added;
    }

    private static boolean grow() {
        try {
            int[] moreFrames = Arrays.copyOf(frames, 2 * depth);
            Position[] moreAround = Arrays.copyOf(around, 2 * depth);
            around = moreAround;
            frames = moreFrames;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }
}
