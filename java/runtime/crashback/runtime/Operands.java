package crashback.runtime;

import java.util.Arrays;
import java.util.Objects;

/**
 * Operands of comparisons, a few different ones of each probe. Pairs that are equal, or that any
 * search tries by itself, are not kept.
 */
final class Operands {
    static final int NOTHING = 0;
    static final int INTEGERS = 1;
    static final int FLOATS = 2;
    static final int TEXTS = 3;

    static final int MOST = 64;
    private static final int MOST_OF_PROBE = 4;

    static final int[] probes = new int[MOST];
    static final byte[] kinds = new byte[MOST];
    static final long[] leftNumbers = new long[MOST];
    static final long[] rightNumbers = new long[MOST];
    static final String[] leftTexts = new String[MOST];
    static final String[] rightTexts = new String[MOST];
    static int count;

    /** By probe: the last test that kept all it may keep of it. */
    private static int[] full = {};
    private static int test;

    private Operands() {}

    static void configure(int probes) {
        full = new int[probes];
        test = 0;
        begin();
    }

    static void begin() {
        count = 0;
        if (++test == Integer.MAX_VALUE) {
            Arrays.fill(full, 0);
            test = 1;
        }
    }

    static void integers(int probe, long left, long right) {
        if (isOpen(probe) && (left < -1 || left > 1 || right < -1 || right > 1)) {
            add(probe, INTEGERS, left, right, null, null);
        }
    }

    static void floats(int probe, double left, double right) {
        if (isOpen(probe)) {
            long leftBits = Double.doubleToRawLongBits(left);
            add(probe, FLOATS, leftBits, Double.doubleToRawLongBits(right), null, null);
        }
    }

    static void texts(int probe, String left, String right) {
        if (isOpen(probe)) {
            add(probe, TEXTS, 0, 0, left, right);
        }
    }

    /** A text that is compared with constants, of which the search knows. */
    static void text(int probe, String text) {
        if (isOpen(probe)) {
            add(probe, TEXTS, 0, 0, text, null);
        }
    }

    /** What the right side of a pair is; that of a single text is nothing. */
    static int rightKind(int i) {
        return kinds[i] == TEXTS && rightTexts[i] == null ? NOTHING : kinds[i];
    }

    /** Two values of the same kind; others are not kept. */
    static void objects(int probe, Object left, Object right) {
        if (left instanceof String && right instanceof String) {
            texts(probe, (String) left, (String) right);
        } else if (Distances.isIntegral(left) && Distances.isIntegral(right)) {
            integers(probe, Distances.integral(left), Distances.integral(right));
        } else if (Distances.isFloating(left) && Distances.isFloating(right)) {
            floats(probe, ((Number) left).doubleValue(), ((Number) right).doubleValue());
        }
    }

    private static boolean isOpen(int probe) {
        return count < MOST && probe < full.length && full[probe] != test;
    }

    private static void add(int probe, int kind, long left, long right, String leftText, String rightText) {
        int ofProbe = 0;
        for (int i = 0; i < count; i++) {
            if (probes[i] == probe) {
                ofProbe++;
                if (same(i, kind, left, right, leftText, rightText)) {
                    return;
                }
            }
        }
        if (ofProbe == MOST_OF_PROBE - 1) {
            full[probe] = test;
        }
        int at = count;
        probes[at] = probe;
        kinds[at] = (byte) kind;
        leftNumbers[at] = left;
        rightNumbers[at] = right;
        leftTexts[at] = leftText;
        rightTexts[at] = rightText;
        count = at + 1;
    }

    private static boolean same(int i, int kind, long left, long right, String leftText, String rightText) {
        if (kinds[i] != kind || leftNumbers[i] != left || rightNumbers[i] != right) {
            return false;
        }
        return kind != TEXTS || leftTexts[i].equals(leftText) && Objects.equals(rightTexts[i], rightText);
    }
}
