package crashback.runtime;

import java.util.Arrays;

/**
 * Writes values as postcard does: variable-length integers, zigzag for signed ones, lengths before
 * lists and texts.
 */
public final class Encoding {
    /** The bytes. Replaced by a longer array when it is full. */
    public static byte[] out = new byte[1 << 15];
    /** How many of them are in use. */
    static int length;

    private Encoding() {}

    static void room(int bytes) {
        if (out.length - length < bytes) {
            out = Arrays.copyOf(out, Math.max(2 * out.length, length + bytes));
        }
    }

    static void one(int value) {
        room(1);
        out[length++] = (byte) value;
    }

    static void unsigned(int value) {
        room(5);
        length = unsigned(out, length, value);
    }

    /**
     * A position in the call chain by its number: how many places belong to it, and the last of
     * them.
     */
    static void position(int number) {
        unsigned(number & 0xffff);
        unsigned(number >>> 16);
    }

    /** For callers that have made room. Returns the place behind the number. */
    static int unsigned(byte[] to, int at, int value) {
        while ((value & ~0x7f) != 0) {
            to[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        to[at++] = (byte) value;
        return at;
    }

    /** Distances below are one byte; above, this byte is followed by four of a whole number. */
    private static final int WHOLE = 0xfe;
    /** And this one by the eight of any number. */
    private static final int ANY = 0xff;
    /** Bytes that a distance takes at most. */
    private static final int MOST_FOR_DISTANCE = 9;

    /**
     * The absolute values of some numbers of a list. Most distances are small whole numbers.
     */
    static void distances(double[] values, int first, int count) {
        room(count * MOST_FOR_DISTANCE);
        byte[] to = out;
        int at = length;
        for (int i = first; i < first + count; i++) {
            double value = Math.abs(values[i]);
            int whole = (int) value;
            if (whole == value && whole < WHOLE) {
                to[at++] = (byte) whole;
            } else {
                at = longDistance(to, at, value, whole);
            }
        }
        length = at;
    }

    private static int longDistance(byte[] to, int at, double value, int whole) {
        if (whole == value) {
            to[at] = (byte) WHOLE;
            little(to, at + 1, whole, 4);
            return at + 5;
        }
        to[at] = (byte) ANY;
        little(to, at + 1, Double.doubleToRawLongBits(value), 8);
        return at + 9;
    }

    /** The lowest bytes of a number, least significant first. */
    private static void little(byte[] to, int at, long value, int count) {
        for (int i = 0; i < count; i++) {
            to[at + i] = (byte) (value >>> 8 * i);
        }
    }

    static void signed(int value) {
        unsigned(value << 1 ^ value >> 31);
    }

    static void signed(long value) {
        room(10);
        long rest = value << 1 ^ value >> 63;
        while ((rest & ~0x7fL) != 0) {
            out[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        out[length++] = (byte) rest;
    }

    /** The bits of a floating-point number, least significant byte first. */
    static void bits(long value) {
        room(8);
        little(out, length, value, 8);
        length += 8;
    }

    static void bytes(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, out, length, value.length);
        length += value.length;
    }

    /** UTF-16 units as a list. */
    static void units(String text, int most) {
        int count = Math.min(text.length(), most);
        unsigned(count);
        for (int i = 0; i < count; i++) {
            unsigned(text.charAt(i));
        }
    }

    /** Nothing, or a text. */
    static void optional(String text, int most) {
        if (text == null) {
            one(0);
        } else {
            one(1);
            text(text, most);
        }
    }

    /**
     * UTF-8, cut behind a number of characters. Halves of pairs become the replacement character.
     */
    static void text(String text, int most) {
        int count = Math.min(text.length(), most);
        int start = length;
        unsigned(count);
        room(count);
        byte[] to = out;
        int at = length;
        for (int i = 0; i < count; i++) {
            char unit = text.charAt(i);
            if (unit >= 0x80) {
                length = start;
                beyondAscii(text, count);
                return;
            }
            to[at++] = (byte) unit;
        }
        length = at;
    }

    private static void beyondAscii(String text, int count) {
        unsigned(utf8Length(text, count));
        room(3 * count);
        byte[] to = out;
        int at = length;
        for (int i = 0; i < count; i++) {
            char unit = text.charAt(i);
            if (unit < 0x80) {
                to[at++] = (byte) unit;
            } else if (isPair(text, i, count)) {
                int point = Character.toCodePoint(unit, text.charAt(++i));
                to[at++] = (byte) (0xf0 | point >> 18);
                to[at++] = (byte) (0x80 | point >> 12 & 0x3f);
                to[at++] = (byte) (0x80 | point >> 6 & 0x3f);
                to[at++] = (byte) (0x80 | point & 0x3f);
            } else if (unit < 0x800) {
                to[at++] = (byte) (0xc0 | unit >> 6);
                to[at++] = (byte) (0x80 | unit & 0x3f);
            } else {
                int point = Character.isSurrogate(unit) ? 0xfffd : unit;
                to[at++] = (byte) (0xe0 | point >> 12);
                to[at++] = (byte) (0x80 | point >> 6 & 0x3f);
                to[at++] = (byte) (0x80 | point & 0x3f);
            }
        }
        length = at;
    }

    private static int utf8Length(String text, int count) {
        int bytes = count;
        for (int i = 0; i < count; i++) {
            char unit = text.charAt(i);
            if (unit >= 0x80) {
                if (isPair(text, i, count)) {
                    bytes += 2;
                    i++;
                } else {
                    bytes += unit < 0x800 ? 1 : 2;
                }
            }
        }
        return bytes;
    }

    private static boolean isPair(String text, int i, int count) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < count
                && Character.isLowSurrogate(text.charAt(i + 1));
    }
}
