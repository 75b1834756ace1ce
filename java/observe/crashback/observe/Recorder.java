package crashback.observe;

import java.io.IOException;
import java.io.Writer;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps for each object the calls that others make on it. Woven classes call it at entry and exit of their
 * methods. It runs no code of the program and never throws. Calls of an object on itself do not count: the
 * receiver is then that of the method around.
 */
public final class Recorder {
    /** Longer sequences are cut, as those that are read from class files. */
    private static final int LONGEST = 40;
    /** Objects that are followed at a time. */
    private static final int MOST_OBJECTS = 1 << 15;
    /** Different sequences that are kept of one test class. */
    private static final int MOST_SEQUENCES = 1 << 16;

    private static final ThreadLocal<Stack> STACKS =
            new ThreadLocal<Stack>() {
                @Override
                protected Stack initialValue() {
                    return new Stack();
                }
            };

    /** Objects by identity, in lists of equal hash. */
    private static Followed[] table = new Followed[MOST_OBJECTS * 2];

    private static int followed;
    private static boolean isRecording;
    /** Sequences of objects that are gone, and how often each was seen. */
    private static Map<Sequence, Integer> finished = new HashMap<>();

    private Recorder() {}

    /**
     * A method begins. The receiver is null in static methods, the number negative if it is no action of the
     * receiver, and odd for constructors.
     */
    public static void enter(Object receiver, int method) {
        try {
            Object caller = STACKS.get().push(receiver);
            if (method >= 0 && caller != receiver) {
                add(receiver, method);
            }
        } catch (Throwable exhausted) {
            // No memory or no stack is left: the program will notice by itself.
        }
    }

    /** The method that began last ends. */
    public static void leave() {
        try {
            STACKS.get().pop();
        } catch (Throwable exhausted) {
            // As above.
        }
    }

    private static synchronized void add(Object receiver, int method) {
        if (!isRecording) {
            return;
        }
        Followed known = find(receiver);
        if (known != null) {
            known.add(method);
        }
    }

    /** The object's entry, a new one if there is room; else null. */
    private static Followed find(Object receiver) {
        int hash = System.identityHashCode(receiver);
        int place = hash & (table.length - 1);
        for (Followed it = table[place]; it != null; it = it.next) {
            if (it.get() == receiver) {
                return it;
            }
        }
        if (followed >= MOST_OBJECTS) {
            sweep(false);
            if (followed >= MOST_OBJECTS / 2) {
                return null;
            }
        }
        followed++;
        return table[place] = new Followed(receiver, table[place]);
    }

    /** Finishes the sequences of objects that are gone, or of all. */
    private static void sweep(boolean all) {
        for (int place = 0; place < table.length; place++) {
            Followed kept = null;
            for (Followed it = table[place], next; it != null; it = next) {
                next = it.next;
                if (all || it.get() == null) {
                    finish(it);
                    followed--;
                } else {
                    it.next = kept;
                    kept = it;
                }
            }
            table[place] = kept;
        }
    }

    private static void finish(Followed object) {
        Sequence sequence = object.sequence();
        Integer count = finished.get(sequence);
        if (count != null) {
            finished.put(sequence, count + 1);
        } else if (finished.size() < MOST_SEQUENCES) {
            finished.put(sequence, 1);
        }
    }

    /** Begins with no objects. */
    static synchronized void begin() {
        STACKS.get().clear();
        table = new Followed[MOST_OBJECTS * 2];
        followed = 0;
        finished = new HashMap<>();
        isRecording = true;
    }

    /** Writes all sequences, one a line: how often, the class, the numbers of the methods. */
    static synchronized void end(Writer to) throws IOException {
        isRecording = false;
        sweep(true);
        for (Map.Entry<Sequence, Integer> it : finished.entrySet()) {
            to.write(it.getValue().toString());
            to.write('\t');
            to.write(it.getKey().type);
            for (int method : it.getKey().methods) {
                to.write('\t');
                to.write(Integer.toString(method));
            }
            to.write('\n');
        }
        finished = new HashMap<>();
    }

    /** Receivers of the methods that a thread is in. */
    private static final class Stack {
        private Object[] receivers = new Object[64];
        private int depth;

        /** Adds a receiver, and gives that of the caller. */
        Object push(Object receiver) {
            if (depth == receivers.length) {
                receivers = Arrays.copyOf(receivers, depth * 2);
            }
            Object caller = depth == 0 ? null : receivers[depth - 1];
            receivers[depth++] = receiver;
            return caller;
        }

        void pop() {
            if (depth > 0) {
                receivers[--depth] = null;
            }
        }

        void clear() {
            Arrays.fill(receivers, null);
            depth = 0;
        }
    }

    /** An object and its calls so far. */
    private static final class Followed extends WeakReference<Object> {
        private final String type;
        private int[] methods = new int[4];
        private int length;
        private Followed next;

        Followed(Object object, Followed next) {
            super(object);
            this.type = object.getClass().getName();
            this.next = next;
        }

        /**
         * Adds a call. Constructors of classes above, and those that others call by {@code this()}, end
         * before the one that made the object, which takes their place.
         */
        void add(int method) {
            if (isConstructor(method) && length > 0 && isConstructor(methods[0])) {
                methods[0] = method;
                return;
            }
            if (length == LONGEST) {
                return;
            }
            if (length == methods.length) {
                methods = Arrays.copyOf(methods, Math.min(length * 2, LONGEST));
            }
            methods[length++] = method;
        }

        private static boolean isConstructor(int method) {
            return (method & 1) != 0;
        }

        Sequence sequence() {
            return new Sequence(type, Arrays.copyOf(methods, length));
        }
    }

    /** The calls of an object, to be counted. */
    private static final class Sequence {
        private final String type;
        private final int[] methods;

        Sequence(String type, int[] methods) {
            this.type = type;
            this.methods = methods;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Sequence
                    && type.equals(((Sequence) other).type)
                    && Arrays.equals(methods, ((Sequence) other).methods);
        }

        @Override
        public int hashCode() {
            return type.hashCode() * 31 + Arrays.hashCode(methods);
        }
    }
}
