package crashback.runtime;

import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * Numbers for the frames of stack traces. Within a batch a frame is written once and named by its
 * number after that. What a frame is written as is kept over batches.
 */
final class Frames {
    /** Beyond this many different frames everything is forgotten at the next batch. */
    private static final int MOST = 1 << 14;

    /** Characters kept of a name. Elements may be made by the program. */
    private static final int LONGEST = 4096;

    private static final String OURS = "crashback.runtime.";

    /** How many frames the batch has introduced. */
    private static int introduced;
    /** How many of them before the last {@link #mark}. */
    private static int before;

    private static int batch = 1;
    /** The frames of the batch in the order of their numbers. */
    private static int[] order = new int[256];

    private static StackTraceElement[] elements = new StackTraceElement[256];
    /** The bytes of each, null for frames of ours. */
    private static byte[][] written = new byte[256][];
    private static int[] hashes = new int[256];
    /** The last batch that introduced the frame, and its number there. */
    private static int[] batches = new int[256];
    private static int[] numbers = new int[256];
    private static int count;

    /** Open addressing: place in the lists plus 1, or 0. At most half is in use. */
    private static int[] table = new int[512];

    private static final Method LOADER = accessor("getClassLoaderName");
    private static final Method MODULE = accessor("getModuleName");
    private static final Method VERSION = accessor("getModuleVersion");

    private Frames() {}

    static void newBatch() {
        introduced = 0;
        before = 0;
        batch++;
        if (count > MOST || batch == Integer.MAX_VALUE) {
            Arrays.fill(elements, null);
            Arrays.fill(written, null);
            Arrays.fill(table, 0);
            Arrays.fill(batches, 0);
            count = 0;
            batch = 1;
        }
    }

    /**
     * The number of a frame in this batch, which introduces it if need be; negative for frames of
     * ours, which nobody shall see.
     */
    static int number(StackTraceElement element) {
        int hash = hash(element);
        int mask = table.length - 1;
        int i = hash & mask;
        int place = table[i] - 1;
        while (place >= 0 && !(hashes[place] == hash && elements[place].equals(element))) {
            i = i + 1 & mask;
            place = table[i] - 1;
        }
        if (place < 0) {
            place = add(element, hash);
        }
        if (written[place] == null) {
            return -1;
        }
        return batches[place] == batch ? numbers[place] : introduce(place);
    }

    /** What is introduced from now on can be taken back. */
    static void mark() {
        before = introduced;
    }

    /** The frames introduced since. */
    static void encode() {
        Encoding.unsigned(introduced - before);
        for (int number = before; number < introduced; number++) {
            Encoding.bytes(written[order[number]]);
        }
    }

    /** Takes back what was introduced since. */
    static void takeBack() {
        for (int number = before; number < introduced; number++) {
            batches[order[number]] = 0;
        }
        introduced = before;
    }

    /** Of what is never null and rarely equal; texts remember their hashes. */
    private static int hash(StackTraceElement element) {
        int hash = 31 * element.getClassName().hashCode() + element.getMethodName().hashCode();
        hash = 31 * hash + element.getLineNumber();
        return hash ^ hash >>> 16;
    }

    private static int introduce(int place) {
        int number = introduced;
        if (number == order.length) {
            order = Arrays.copyOf(order, 2 * number);
        }
        order[number] = place;
        numbers[place] = number;
        introduced = number + 1;
        batches[place] = batch;
        return number;
    }

    private static int add(StackTraceElement element, int hash) {
        if (count == elements.length) {
            grow();
        }
        int place = count;
        elements[place] = element;
        written[place] = element.getClassName().startsWith(OURS) ? null : write(element);
        hashes[place] = hash;
        batches[place] = 0;
        count = place + 1;
        insert(place);
        return place;
    }

    private static void grow() {
        int length = 2 * elements.length;
        int[] larger = new int[2 * length];
        written = Arrays.copyOf(written, length);
        hashes = Arrays.copyOf(hashes, length);
        batches = Arrays.copyOf(batches, length);
        numbers = Arrays.copyOf(numbers, length);
        elements = Arrays.copyOf(elements, length);
        table = larger;
        for (int place = 0; place < count; place++) {
            insert(place);
        }
    }

    private static void insert(int place) {
        int mask = table.length - 1;
        int i = hashes[place] & mask;
        while (table[i] != 0) {
            i = i + 1 & mask;
        }
        table[i] = place + 1;
    }

    /** As {@code StackFrame} of the protocol is written. The end of the buffer serves as scratch space. */
    private static byte[] write(StackTraceElement element) {
        int start = Encoding.length;
        Encoding.optional(asked(LOADER, element), LONGEST);
        Encoding.optional(asked(MODULE, element), LONGEST);
        Encoding.optional(asked(VERSION, element), LONGEST);
        Encoding.text(element.getClassName(), LONGEST);
        Encoding.text(element.getMethodName(), LONGEST);
        Encoding.optional(element.getFileName(), LONGEST);
        Encoding.signed(element.getLineNumber());
        byte[] bytes = Arrays.copyOfRange(Encoding.out, start, Encoding.length);
        Encoding.length = start;
        return bytes;
    }

    /** A method of StackTraceElement that Java 8 does not have. */
    private static Method accessor(String name) {
        try {
            return StackTraceElement.class.getMethod(name);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static String asked(Method accessor, StackTraceElement element) {
        if (accessor == null) {
            return null;
        }
        try {
            return (String) accessor.invoke(element);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
