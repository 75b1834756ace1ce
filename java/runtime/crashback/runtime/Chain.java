package crashback.runtime;

import java.util.Arrays;

/**
 * Where in the target call chain the test is.
 *
 * <p>Of the methods that are running now, take those on the chain, outermost first: the level is
 * the length of the longest beginning of the chain that this sequence ends with. So a method
 * entered out of order has level 0, or the level of a chain that begins anew with it, and what is
 * entered while it runs continues from there. The levels of a sequence come from its last method
 * and the level before (Knuth, Morris, Pratt, 1977).
 */
final class Chain {
    /** The level. */
    static int level;
    /** How many levels the longest chain has, 0 included. */
    static int levels = 1;

    /** The longest chain, outermost frame first. */
    static int[] whole = {};
    /** The chain in force: the end of the longest one. */
    static int[] chain = {};
    /** For each level the next smaller one that the same sequence has. */
    private static int[] shorter = {0};

    /** The running methods and the level around each. */
    private static int[] frames = new int[64];
    private static int[] around = new int[64];
    private static int depth;

    private Chain() {}

    static void configure(int[] frames) {
        whole = frames.clone();
        levels = whole.length + 1;
        begin(0);
    }

    /** Leaves out so many of the outermost frames. Tells whether that is news. */
    static boolean aim(int outermost) {
        int left = Math.min(outermost, whole.length);
        if (whole.length - chain.length == left) {
            return false;
        }
        begin(left);
        return true;
    }

    private static void begin(int left) {
        chain = Arrays.copyOfRange(whole, left, whole.length);
        shorter = new int[chain.length + 1];
        for (int n = 2; n < shorter.length; n++) {
            int border = shorter[n - 1];
            while (border > 0 && chain[border] != chain[n - 1]) {
                border = shorter[border];
            }
            shorter[n] = chain[border] == chain[n - 1] ? border + 1 : 0;
        }
    }

    static void begin() {
        level = 0;
        depth = 0;
    }

    /** A method on the chain is entered. */
    static void enter(int frame) {
        int at = depth;
        if (at == frames.length && !grow()) {
            return;
        }
        frames[at] = frame;
        around[at] = level;
        depth = at + 1;
        int n = level;
        while (n > 0 && (n == chain.length || chain[n] != frame)) {
            n = shorter[n];
        }
        level = chain[n] == frame ? n + 1 : 0;
    }

    /** A method is left, and with it those inside that were left unseen. Nothing happens when it has been left before. */
    static void leave(int frame) {
        int at = depth - 1;
        while (at >= 0 && frames[at] != frame) {
            at--;
        }
        if (at >= 0) {
            depth = at;
            level = around[at];
        }
    }

    private static boolean grow() {
        try {
            int[] moreFrames = Arrays.copyOf(frames, 2 * depth);
            int[] moreAround = Arrays.copyOf(around, 2 * depth);
            frames = moreFrames;
            around = moreAround;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }
}
