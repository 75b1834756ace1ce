package crashback.runtime;

/**
 * How far values are from being equal. 0 means equal; a negative number, that nothing can be said.
 * All work on a bounded number of characters and call no code of the program.
 */
final class Distances {
    static final double UNKNOWN = -1;

    /** How many characters are looked at from where texts begin to differ. */
    private static final int REACH = 64;

    /** By the difference of two characters: how unlike they are. */
    private static final double[] UNLIKE = new double[128];

    static {
        for (int difference = 0; difference < UNLIKE.length; difference++) {
            UNLIKE[difference] = unlike(difference);
        }
    }

    private Distances() {}

    /** Of two values of classes whose equality is known. */
    static double values(Object left, Object right) {
        if (left instanceof String && right instanceof String) {
            return texts((String) left, (String) right, false);
        }
        if (left == null || right == null || left.getClass() != right.getClass()) {
            return UNKNOWN;
        }
        if (isIntegral(left)) {
            return Math.abs((double) integral(left) - (double) integral(right));
        }
        if (isFloating(left)) {
            double difference = Math.abs(((Number) left).doubleValue() - ((Number) right).doubleValue());
            return difference <= Record.FAR ? difference : UNKNOWN;
        }
        return UNKNOWN;
    }

    static boolean isIntegral(Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Character
                || value instanceof Short
                || value instanceof Byte;
    }

    static long integral(Object value) {
        return value instanceof Character ? ((Character) value).charValue() : ((Number) value).longValue();
    }

    static boolean isFloating(Object value) {
        return value instanceof Double || value instanceof Float;
    }

    /**
     * Of two texts: what is left between a common beginning and a common end is compared character
     * by character, and each that is missing counts 1.
     */
    static double texts(String left, String right, boolean ignoringCase) {
        if (ignoringCase ? left.equalsIgnoreCase(right) : left.equals(right)) {
            return 0;
        }
        int leftLength = left.length();
        int rightLength = right.length();
        int common = Math.min(leftLength, rightLength);
        int start = 0;
        int most = Math.min(common, REACH);
        while (start < most && unlike(left.charAt(start), right.charAt(start), ignoringCase) == 0) {
            start++;
        }
        int end = 0;
        most = Math.min(common - start, REACH);
        int leftLast = leftLength - 1;
        int rightLast = rightLength - 1;
        while (end < most
                && unlike(left.charAt(leftLast - end), right.charAt(rightLast - end), ignoringCase) == 0) {
            end++;
        }
        int rest = common - start - end;
        return Math.abs(leftLength - rightLength)
                + region(left, start, right, start, rest, ignoringCase, Record.FAR);
    }

    /**
     * Of two regions of the same length; what lies outside of either text is missing. May stop at
     * any sum that is not below {@code enough}.
     */
    static double region(
            String left,
            int leftAt,
            String right,
            int rightAt,
            int length,
            boolean ignoringCase,
            double enough) {
        int looked = Math.min(length, REACH);
        double sum = Math.max(0, length - looked);
        if (leftAt >= 0
                && leftAt <= left.length() - looked
                && rightAt >= 0
                && rightAt <= right.length() - looked) {
            for (int i = 0; i < looked && sum < enough; i++) {
                sum += unlike(left.charAt(leftAt + i), right.charAt(rightAt + i), ignoringCase);
            }
            return sum;
        }
        for (int i = 0; i < looked && sum < enough; i++) {
            long l = (long) leftAt + i;
            long r = (long) rightAt + i;
            if (l < 0 || l >= left.length() || r < 0 || r >= right.length()) {
                sum += 1;
            } else {
                sum += unlike(left.charAt((int) l), right.charAt((int) r), ignoringCase);
            }
        }
        return sum;
    }

    /** Of a text from containing another from an index on: the best of the first places. */
    static double containing(String text, String part, int from) {
        if (text.indexOf(part, from) >= 0) {
            return 0;
        }
        int length = part.length();
        int first = Math.max(0, Math.min(from, text.length()));
        double best = region(text, first, part, 0, length, false, Record.FAR);
        int last = Math.min(first + REACH, text.length() - 1);
        for (int at = first + 1; at <= last; at++) {
            best = Math.min(best, region(text, at, part, 0, length, false, best));
        }
        return best;
    }

    /** The character of a text, from an index on, that is most like another; -1 where there is none. */
    static int nearest(String text, int character, int from) {
        int first = Math.max(0, from);
        int end = Math.min(first, text.length()) + REACH;
        int nearest = -1;
        for (int at = first; at < end && at < text.length(); at++) {
            int difference = Math.abs(text.charAt(at) - character);
            if (nearest < 0 || difference < Math.abs(nearest - character)) {
                nearest = text.charAt(at);
            }
        }
        return nearest;
    }

    /** Between 0 for equal characters and 1. */
    private static double unlike(char left, char right, boolean ignoringCase) {
        if (left == right || ignoringCase && sameLetter(left, right)) {
            return 0;
        }
        int difference = Math.abs(left - right);
        return difference < UNLIKE.length ? UNLIKE[difference] : unlike(difference);
    }

    static double unlike(double difference) {
        return difference / (difference + 1);
    }

    /** As {@code String.equalsIgnoreCase} has it. */
    private static boolean sameLetter(char left, char right) {
        char upperLeft = Character.toUpperCase(left);
        char upperRight = Character.toUpperCase(right);
        return upperLeft == upperRight
                || Character.toLowerCase(upperLeft) == Character.toLowerCase(upperRight);
    }
}
