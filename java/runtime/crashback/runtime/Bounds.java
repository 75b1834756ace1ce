package crashback.runtime;

import java.lang.reflect.Array;
import java.util.List;

/**
 * Instructions and calls that throw if an operand is out of bounds, before they run: how far each
 * is from throwing. That is recorded like a jump, which is taken if the instruction throws.
 */
final class Bounds {
    /** For a length that is not known. */
    static final int UNKNOWN = -1;
    /** Steps to a bound that does not matter. */
    private static final long FAR = Long.MAX_VALUE;

    private Bounds() {}

    static void index(Object indexed, int index, int probe) {
        int length = length(indexed);
        if (length >= 0) {
            tell(Math.min(index + 1L, (long) length - index), probe);
        }
    }

    static void range(Object indexed, int start, int probe) {
        int length = length(indexed);
        if (length >= 0) {
            tell(together(start + 1L, length - start + 1L, FAR), probe);
        }
    }

    static void range(Object indexed, int start, int end, int probe) {
        int length = length(indexed);
        if (length >= 0) {
            tell(together(start + 1L, (long) length - end + 1, (long) end - start + 1), probe);
        }
    }

    static void divisor(long divisor, int probe) {
        tell(divisor == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(divisor), probe);
    }

    static void length(int length, int probe) {
        tell(length + 1L, probe);
    }

    /**
     * Steps to several bounds as one distance. Each of them matters: the nearest may be that of a
     * constant, such as the start 0 of many a {@code substring}.
     */
    private static double together(long one, long other, long third) {
        if (one <= 0 || other <= 0 || third <= 0) {
            return 0;
        }
        return 1 / (1.0 / one + 1.0 / other + 1.0 / third);
    }

    /** Steps until the bound is passed; none are left where it is. */
    private static void tell(double steps, int probe) {
        Record.branch(probe, steps <= 0, steps <= 0 ? 1 : steps);
    }

    /** How many elements something has, if asking for it runs nothing but the JDK. */
    static int length(Object indexed) {
        if (indexed == null) {
            return UNKNOWN;
        }
        Class<?> kind = indexed.getClass();
        if (kind.isArray()) {
            return Array.getLength(indexed);
        }
        if (kind == String.class || kind == StringBuilder.class || kind == StringBuffer.class) {
            return ((CharSequence) indexed).length();
        }
        return indexed instanceof List && Calls.isPlainCollection(kind, indexed)
                ? ((List<?>) indexed).size()
                : UNKNOWN;
    }
}
