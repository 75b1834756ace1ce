package crashback.runtime;

import java.util.Arrays;

/**
 * Accesses by index, before they run: of each bound that an access must keep, the last index and
 * the length that it must stay below. An access throws if an index is negative or not below its
 * length; all bounds of the JDK's documentation are brought into this form. The bounds of one
 * access have consecutive numbers.
 */
final class Accesses {
    /** Bounds kept, counting each position of one. */
    private static final int MOST = 1 << 12;

    static int[] probes = new int[16];
    static int[] positions = new int[16];
    static int[] indexes = new int[16];
    static int[] lengths = new int[16];
    static int count;

    private Accesses() {}

    static void element(Object indexed, int index, int probe) {
        int length = Bounds.length(indexed);
        if (length >= 0) {
            tell(index, length, probe);
        }
    }

    static void gap(Object indexed, int index, int probe) {
        int length = Bounds.length(indexed);
        if (length >= 0) {
            tell(index, length + 1L, probe);
        }
    }

    static void before(Object indexed, int index, int probe) {
        int length = Bounds.length(indexed);
        if (length >= 0) {
            tell(index - 1L, length, probe);
        }
    }

    static void part(Object indexed, int start, int end, int probe) {
        int length = Bounds.length(indexed);
        if (length >= 0) {
            tell(start, end + 1L, probe);
            tell(end, length + 1L, probe + 1);
        }
    }

    static void cut(Object indexed, int start, int end, int probe) {
        int length = Bounds.length(indexed);
        if (length >= 0) {
            tell(start, Math.min(end, length) + 1L, probe);
        }
    }

    static void run(Object indexed, int first, int run, int probe) {
        int length = Bounds.length(indexed);
        if (length >= 0) {
            tell(first, (long) length - run + 1, probe);
            tell(run, length + 1L, probe + 1);
        }
    }

    static void into(Object indexed, int start, int end, Object target, int at, int probe) {
        part(indexed, start, end, probe);
        int room = Bounds.length(target);
        if (room >= 0) {
            tell(at, room - ((long) end - start) + 1, probe + 2);
        }
    }

    static void copy(Object source, int from, Object target, int to, int run, int probe) {
        int length = Bounds.length(source);
        int room = Bounds.length(target);
        if (length >= 0 && room >= 0) {
            tell(from, (long) length - run + 1, probe);
            tell(to, (long) room - run + 1, probe + 1);
            tell(run, Math.min(length, room) + 1L, probe + 2);
        }
    }

    /** An index and the length that it must stay below. The last ones of a test count. */
    static void tell(long index, long length, int probe) {
        int at = Record.place(probe);
        if (at < 0) {
            at = first(probe);
            if (at < 0) {
                return;
            }
        }
        indexes[at] = within(index);
        lengths[at] = within(length);
    }

    private static int first(int probe) {
        int at = count;
        if (at == MOST || at == lengths.length && !grow() || !Record.hasRoom(probe)) {
            return -1;
        }
        probes[at] = probe;
        positions[at] = Chain.here.number;
        count = at + 1;
        Record.setPlace(probe, at);
        return at;
    }

    private static boolean grow() {
        try {
            int length = 2 * count;
            int[] moreProbes = Arrays.copyOf(probes, length);
            int[] morePositions = Arrays.copyOf(positions, length);
            int[] moreIndexes = Arrays.copyOf(indexes, length);
            int[] moreLengths = Arrays.copyOf(lengths, length);
            probes = moreProbes;
            positions = morePositions;
            indexes = moreIndexes;
            lengths = moreLengths;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private static int within(long number) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number));
    }

    static void encode() {
        Encoding.unsigned(count);
        for (int i = 0; i < count; i++) {
            Encoding.unsigned(probes[i]);
            Encoding.position(positions[i]);
            Encoding.signed(indexes[i]);
            Encoding.signed(lengths[i]);
        }
    }
}
