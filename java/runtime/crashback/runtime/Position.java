package crashback.runtime;

import java.util.Arrays;

/**
 * A position in the target call chain, as {@link Chain} defines it, with what tests record there.
 *
 * <p>A probe has a slot at every position. Slots lie in pages of neighbouring probes, which are
 * made when they are first written: most probes fire at few positions.
 */
final class Position {
    /** Probes of a page, as a power of 2. */
    static final int PAGE_BITS = 6;
    static final int PAGE_MASK = (1 << PAGE_BITS) - 1;

    /** Probes with higher numbers are not recorded. */
    private static final int MOST_PAGES = 1 << 24 - PAGE_BITS;
    /** The page of slots that nobody has written yet. It stays empty. */
    private static final int[] NO_SLOTS = new int[1 << PAGE_BITS];
    private static final int[][] NO_PAGES = {};

    /**
     * As tests and messages name it: the last place of the chain that belongs to it, times 2^16,
     * plus how many places do.
     */
    final int number;
    /**
     * By method of the chain: the position when that is entered here, or null while it is not
     * known.
     */
    final Position[] next;
    /** The slots, by page. Outside of pages they are empty. */
    int[][] pages = NO_PAGES;
    /** What {@link Record#base} was when a test last entered it. */
    int entered;

    /** About how many numbers all positions hold. */
    static int size;

    Position(int last, int length, int methods) {
        number = last << 16 | length;
        next = new Position[methods];
        size += methods + 16;
    }

    /** The last place of the chain that belongs to it. */
    int last() {
        return number >>> 16;
    }

    /** How many places of the chain belong to it. */
    int length() {
        return number & 0xffff;
    }

    /**
     * The page with the slot of a probe, for writing; null if there is no room. The test is here.
     */
    int[] page(int probe) {
        int number = probe >>> PAGE_BITS;
        if (number < pages.length) {
            int[] page = pages[number];
            if (page != NO_SLOTS) {
                return page;
            }
        }
        return addPage(number);
    }

    private int[] addPage(int page) {
        if (page >= MOST_PAGES || Paths.isFull()) {
            return null;
        }
        try {
            int[] added = new int[1 << PAGE_BITS];
            int length = pages.length;
            if (page >= length) {
                int[][] more = Arrays.copyOf(pages, Math.max(page + 1, 2 * length));
                Arrays.fill(more, length, more.length, NO_SLOTS);
                pages = more;
                Chain.pages = more;
                size += more.length - length;
            }
            pages[page] = added;
            size += added.length;
            return added;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }
}
