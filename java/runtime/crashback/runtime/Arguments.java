package crashback.runtime;

/**
 * Texts and numbers that methods of the target call chain were entered with: of each parameter, at
 * each position in the chain, the last few different ones, the latest last.
 */
final class Arguments {
    private static final int MOST = 48;
    private static final int MOST_OF_PARAMETER = 4;
    /** Units of the longest text that is kept. */
    private static final int LONGEST = 256;

    private static final int[] positions = new int[MOST];
    private static final byte[] parameters = new byte[MOST];
    private static final byte[] kinds = new byte[MOST];
    private static final long[] numbers = new long[MOST];
    private static final String[] texts = new String[MOST];
    static int count;

    private Arguments() {}

    static void begin() {
        for (int i = 0; i < count; i++) {
            texts[i] = null;
        }
        count = 0;
    }

    static void integer(long value, int parameter) {
        add(parameter, Operands.INTEGERS, value, null);
    }

    static void floating(double value, int parameter) {
        add(parameter, Operands.FLOATS, Double.doubleToRawLongBits(value), null);
    }

    /** Only objects of classes of the JDK are looked into: others would run code of the program. */
    static void object(Object value, int parameter) {
        if (value instanceof String) {
            text((String) value, parameter);
        } else if (Distances.isIntegral(value)) {
            integer(Distances.integral(value), parameter);
        } else if (Distances.isFloating(value)) {
            floating(((Number) value).doubleValue(), parameter);
        } else if (value instanceof char[]) {
            char[] units = (char[]) value;
            if (units.length <= LONGEST) {
                text(new String(units), parameter);
            }
        } else if (value instanceof StringBuilder || value instanceof StringBuffer) {
            if (((CharSequence) value).length() <= LONGEST) {
                text(value.toString(), parameter);
            }
        }
    }

    private static void text(String text, int parameter) {
        if (text.length() <= LONGEST) {
            add(parameter, Operands.TEXTS, 0, text);
        }
    }

    /** Adds a value behind others of its parameter, in the place of an equal one or of the oldest. */
    private static void add(int parameter, int kind, long number, String text) {
        int position = Chain.here.number;
        int known = 0;
        int at = -1;
        for (int i = 0; i < count; i++) {
            if (positions[i] == position && parameters[i] == (byte) parameter) {
                if (at >= 0) {
                    move(i, at);
                    at = i;
                } else if (isSame(i, kind, number, text)) {
                    at = i;
                }
                known++;
            }
        }
        if (at < 0 && known == MOST_OF_PARAMETER) {
            at = dropOldest(position, parameter);
        }
        if (at < 0) {
            if (count == MOST) {
                return;
            }
            at = count;
            positions[at] = position;
            parameters[at] = (byte) parameter;
            count = at + 1;
        }
        kinds[at] = (byte) kind;
        numbers[at] = number;
        texts[at] = text;
    }

    /** Moves all values of a parameter but the oldest one place on. Returns the place that is free then. */
    private static int dropOldest(int position, int parameter) {
        int at = -1;
        for (int i = 0; i < count; i++) {
            if (positions[i] == position && parameters[i] == (byte) parameter) {
                if (at >= 0) {
                    move(i, at);
                }
                at = i;
            }
        }
        return at;
    }

    private static void move(int from, int to) {
        kinds[to] = kinds[from];
        numbers[to] = numbers[from];
        texts[to] = texts[from];
    }

    private static boolean isSame(int i, int kind, long number, String text) {
        return kinds[i] == kind && numbers[i] == number && (text == null || text.equals(texts[i]));
    }

    static void encode() {
        Encoding.unsigned(count);
        for (int i = 0; i < count; i++) {
            Encoding.position(positions[i]);
            Encoding.one(parameters[i]);
            Facts.value(kinds[i], numbers[i], texts[i]);
        }
    }
}
