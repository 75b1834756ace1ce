package crashback.runtime;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/**
 * Variables that conditional jumps compare: how near their values came to each goal, such as a
 * number to being positive, zero and negative. Sorts of variables and the order of their goals are
 * those of {@code VariableSort}, the code of a probe is that of {@code WatchedVariable}.
 */
final class Variables {
    /** The most goals of a variable. */
    static final int GOALS = 6;

    private static final int NUMBER = 1;
    private static final int CHARACTER = 2;
    private static final int BOOLEAN = 3;
    private static final int REFERENCE = 4;
    private static final int CONTAINER = 5;
    private static final int NUMBER_OBJECT = 6;
    private static final int CHARACTER_OBJECT = 7;
    private static final int BOOLEAN_OBJECT = 8;
    private static final int SORT = 0x0f;
    private static final int SECOND = 0x10;
    private static final int POINT = 0x20;
    private static final int LAST_CODE = SORT | SECOND | POINT;

    /** Goals of numbers and characters before those that a point adds. */
    private static final int PLAIN_GOALS = 3;

    /** Variables kept, counting each position of one. */
    private static final int MOST = 1 << 12;

    /** By probe: its code, or 0 where it watches no variable. */
    private static byte[] codes = {};

    static int[] probes = new int[16];
    static int[] positions = new int[16];
    static double[] distances = new double[16 * GOALS];
    static int count;

    private Variables() {}

    static void configure(byte[] jumpCodes) {
        byte[] codes = new byte[jumpCodes.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = (jumpCodes[i] & ~LAST_CODE) == 0 ? jumpCodes[i] : 0;
        }
        Variables.codes = codes;
    }

    static void integers(long left, long right, int probe) {
        int code = code(probe);
        int at = place(probe, code);
        if (at < 0) {
            return;
        }
        long value = (code & SECOND) != 0 ? right : left;
        switch (code & SORT) {
            case NUMBER:
                number(at, value);
                break;
            case CHARACTER:
                character(at, (char) value);
                break;
            case BOOLEAN:
                flag(at, value != 0);
                break;
            default:
                break;
        }
        if (goals(code) == GOALS) {
            long point = (code & SECOND) != 0 ? left : right;
            straddle(at, value == point ? 0 : Record.difference(value, point));
        }
    }

    static void floats(double left, double right, int probe) {
        int code = code(probe);
        int at = place(probe, code);
        if (at < 0) {
            return;
        }
        double value = (code & SECOND) != 0 ? right : left;
        if ((code & SORT) == NUMBER && value == value) {
            number(at, value);
            double point = (code & SECOND) != 0 ? left : right;
            if (goals(code) == GOALS && point == point) {
                straddle(at, value == point ? 0 : value - point);
            }
        }
    }

    static void references(Object left, Object right, int probe) {
        int code = code(probe);
        int at = place(probe, code);
        if (at < 0) {
            return;
        }
        Object value = (code & SECOND) != 0 ? right : left;
        lower(at, value == null ? 0 : 1);
        switch (code & SORT) {
            case REFERENCE:
                lower(at + 1, value == null ? 1 : 0);
                break;
            case CONTAINER:
                container(at + 1, value);
                break;
            case NUMBER_OBJECT:
                if (value != null && Distances.isIntegral(value)) {
                    number(at + 1, Distances.integral(value));
                } else if (Distances.isFloating(value)) {
                    number(at + 1, ((Number) value).doubleValue());
                }
                break;
            case CHARACTER_OBJECT:
                if (value instanceof Character) {
                    character(at + 1, (Character) value);
                }
                break;
            case BOOLEAN_OBJECT:
                if (value instanceof Boolean) {
                    flag(at + 1, (Boolean) value);
                }
                break;
            default:
                break;
        }
    }

    // Goals, from a place in the distances on.

    private static void number(int at, double value) {
        lower(at, value <= 0 ? 1 - value : 0);
        lower(at + 1, Math.abs(value));
        lower(at + 2, value < 0 ? 0 : 1 + value);
    }

    private static void character(int at, char value) {
        lower(at, toLetter(value));
        lower(at + 1, value < '0' ? '0' - value : Math.max(0, value - '9'));
        lower(at + 2, toOther(value));
    }

    private static void flag(int at, boolean value) {
        lower(at, value ? 0 : 1);
        lower(at + 1, value ? 1 : 0);
    }

    private static void container(int at, Object value) {
        int size = size(value);
        if (size >= 0) {
            lower(at, size);
            lower(at + 1, size == 0 ? 1 : 0);
        }
    }

    /** Above a point, at it, below it. */
    private static void straddle(int at, double difference) {
        lower(at + PLAIN_GOALS, difference > 0 ? 0 : 1 - difference);
        lower(at + PLAIN_GOALS + 1, Math.abs(difference));
        lower(at + PLAIN_GOALS + 2, difference < 0 ? 0 : 1 + difference);
    }

    private static int toLetter(char value) {
        if (value < 'A') {
            return 'A' - value;
        }
        if (value > 'z') {
            return value - 'z';
        }
        return value > 'Z' && value < 'a' ? Math.min(value - 'Z', 'a' - value) : 0;
    }

    private static int toOther(char value) {
        return outOf(value, '0', '9') + outOf(value, 'A', 'Z') + outOf(value, 'a', 'z');
    }

    /** Steps out of a range of characters; none from elsewhere. */
    private static int outOf(char value, char first, char last) {
        return value < first || value > last ? 0 : Math.min(value - first, last - value) + 1;
    }

    /** How many elements something has, if asking for it runs nothing but the JDK. */
    private static int size(Object value) {
        if (value == null) {
            return Bounds.UNKNOWN;
        }
        Class<?> kind = value.getClass();
        if (value instanceof Map) {
            return Calls.isPlainMap(kind, value) ? ((Map<?, ?>) value).size() : Bounds.UNKNOWN;
        }
        if (value instanceof Collection) {
            boolean isPlain = Calls.isPlainCollection(kind, value);
            return isPlain ? ((Collection<?>) value).size() : Bounds.UNKNOWN;
        }
        return Bounds.length(value);
    }

    private static void lower(int goal, double distance) {
        if (distance < distances[goal]) {
            distances[goal] = distance;
        }
    }

    // Entries.

    private static int code(int probe) {
        return probe < codes.length ? codes[probe] : 0;
    }

    private static int goals(int code) {
        switch (code & SORT) {
            case NUMBER:
            case CHARACTER:
                return (code & POINT) != 0 ? GOALS : PLAIN_GOALS;
            case BOOLEAN:
            case REFERENCE:
                return 2;
            case CONTAINER:
            case BOOLEAN_OBJECT:
                return 3;
            case NUMBER_OBJECT:
            case CHARACTER_OBJECT:
                return 4;
            default:
                return 0;
        }
    }

    /** Where the distances of a probe begin at the position where the test is; -1 for nowhere. */
    private static int place(int probe, int code) {
        int at = Record.place(probe);
        if (at < 0) {
            at = first(probe, code);
        }
        return at < 0 ? -1 : at * GOALS;
    }

    private static int first(int probe, int code) {
        int at = count;
        boolean isFull = at == MOST || at == probes.length && !grow();
        if (isFull || goals(code) == 0 || !Record.hasRoom(probe)) {
            return -1;
        }
        probes[at] = probe;
        positions[at] = Chain.here.number;
        Arrays.fill(distances, at * GOALS, (at + 1) * GOALS, Record.FAR);
        count = at + 1;
        Record.setPlace(probe, at);
        return at;
    }

    /** The list that is replaced last is the one that is asked for its length. */
    private static boolean grow() {
        try {
            int length = 2 * count;
            int[] moreProbes = Arrays.copyOf(probes, length);
            int[] morePositions = Arrays.copyOf(positions, length);
            distances = Arrays.copyOf(distances, length * GOALS);
            positions = morePositions;
            probes = moreProbes;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    static void encode() {
        Encoding.unsigned(count);
        for (int i = 0; i < count; i++) {
            int goals = goals(code(probes[i]));
            Encoding.unsigned(probes[i]);
            Encoding.position(positions[i]);
            Encoding.one(goals);
            Encoding.distances(distances, i * GOALS, goals);
        }
    }
}
