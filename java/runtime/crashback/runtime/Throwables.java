package crashback.runtime;

/**
 * Encodes throwables with their causes and what they suppressed. The methods of a throwable may be
 * the program's: they may throw, return anything, or not come to an end, which the budget sees to.
 */
final class Throwables {
    /**
     * How many throwables are encoded. Reserve for the length of the list is one byte, so it stays
     * below 128.
     */
    private static final int MOST = 32;

    private static final int MOST_FRAMES = 1024;
    private static final int MOST_CHARACTERS = 4096;
    private static final StackTraceElement[] NO_FRAMES = {};
    private static final Throwable[] NONE = {};

    /** The class whose frame, and all around it, are the worker's. */
    static String stub = "";

    private static final Throwable[] known = new Throwable[MOST];
    private static int count;
    private static final int[] frames = new int[MOST_FRAMES];

    private Throwables() {}

    static void clear() {
        for (int i = 0; i < count; i++) {
            known[i] = null;
        }
        count = 0;
    }

    /** The place of a throwable in the list, where it gets one; -1 where the list is full. */
    static int number(Throwable throwable) {
        for (int i = 0; i < count; i++) {
            if (known[i] == throwable) {
                return i;
            }
        }
        if (count == MOST) {
            return -1;
        }
        known[count] = throwable;
        return count++;
    }

    /** The list of those that have a number, and of those that these lead to. */
    static void encode() {
        int lengthAt = Encoding.length;
        Encoding.one(0);
        for (int i = 0; i < count; i++) {
            encode(known[i]);
        }
        Encoding.out[lengthAt] = (byte) count;
    }

    private static void encode(Throwable throwable) {
        Encoding.text(throwable.getClass().getName(), Integer.MAX_VALUE);
        Encoding.optional(message(throwable), MOST_CHARACTERS);
        frames(throwable);
        int cause = place(cause(throwable));
        if (cause < 0) {
            Encoding.one(0);
        } else {
            Encoding.one(1);
            Encoding.unsigned(cause);
        }
        suppressed(throwable);
    }

    private static void frames(Throwable throwable) {
        StackTraceElement[] trace = trace(throwable);
        int end = Math.min(outermost(trace), MOST_FRAMES);
        int length = 0;
        for (int i = 0; i < end; i++) {
            StackTraceElement element = trace[i];
            int number = element == null ? -1 : Frames.number(element);
            if (number >= 0) {
                frames[length++] = number;
            }
        }
        Encoding.unsigned(length);
        for (int i = 0; i < length; i++) {
            Encoding.unsigned(frames[i]);
        }
    }

    /** Where the worker's frames begin. */
    private static int outermost(StackTraceElement[] trace) {
        for (int i = trace.length - 1; i >= 0; i--) {
            StackTraceElement element = trace[i];
            if (element != null && stub.equals(element.getClassName())) {
                return i;
            }
        }
        return trace.length;
    }

    private static void suppressed(Throwable throwable) {
        Throwable[] suppressed = suppressedBy(throwable);
        int lengthAt = Encoding.length;
        Encoding.one(0);
        int length = 0;
        for (int i = 0; i < suppressed.length && length < MOST; i++) {
            int place = place(suppressed[i]);
            if (place >= 0) {
                Encoding.unsigned(place);
                length++;
            }
        }
        Encoding.out[lengthAt] = (byte) length;
    }

    /** The end of a test is none of the program's exceptions. */
    private static int place(Throwable throwable) {
        return throwable == null || throwable instanceof TestEnd ? -1 : number(throwable);
    }

    private static String message(Throwable throwable) {
        try {
            return throwable.getMessage();
        } catch (Throwable e) {
            unreadable(e);
            return null;
        }
    }

    private static Throwable cause(Throwable throwable) {
        try {
            return throwable.getCause();
        } catch (Throwable e) {
            unreadable(e);
            return null;
        }
    }

    private static StackTraceElement[] trace(Throwable throwable) {
        try {
            StackTraceElement[] trace = throwable.getStackTrace();
            return trace == null ? NO_FRAMES : trace;
        } catch (Throwable e) {
            unreadable(e);
            return NO_FRAMES;
        }
    }

    private static Throwable[] suppressedBy(Throwable throwable) {
        try {
            return throwable.getSuppressed();
        } catch (Throwable e) {
            unreadable(e);
            return NONE;
        }
    }

    private static void unreadable(Throwable why) {
        if (why == Probes.STOP) {
            throw Probes.STOP;
        }
    }
}
