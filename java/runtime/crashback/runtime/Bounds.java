package crashback.runtime;

import java.lang.reflect.Array;
import java.util.List;

/**
 * Instructions and calls that throw if an operand is out of bounds, before they run: how far each
 * is from throwing. That is recorded like a jump, which is taken if the instruction throws.
 */
final class Bounds {
    private static final int UNKNOWN = -1;

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
            tell(Math.min(start + 1L, length - start + 1L), probe);
        }
    }

    static void range(Object indexed, int start, int end, int probe) {
        int length = length(indexed);
        if (length >= 0) {
            long inside = Math.min(start + 1L, (long) length - end + 1);
            tell(Math.min(inside, (long) end - start + 1), probe);
        }
    }

    static void divisor(long divisor, int probe) {
        tell(divisor == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(divisor), probe);
    }

    static void length(int length, int probe) {
        tell(length + 1L, probe);
    }

    /** Steps until the bound is passed; none are left where it is. */
    private static void tell(long steps, int probe) {
        Record.branch(probe, steps <= 0, Math.max(steps, 1));
    }

    /** How many elements something has, if asking for it runs nothing but the JDK. */
    private static int length(Object indexed) {
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
