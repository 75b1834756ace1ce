import crashback.runtime.Ambient;
import crashback.runtime.Pins;
import crashback.runtime.Probes;
import crashback.runtime.State;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;

/** Values that a line of text cannot hold, and what a program might do. */
public class Subjects {
    // Exceptions.

    public static Throwable plain() {
        return new IllegalStateException("plain \u00e9\u4e2d\ud83d\ude00 \ud800 end");
    }

    public static Throwable causes() {
        return new RuntimeException("outer", new IllegalArgumentException("middle", new Error()));
    }

    public static Throwable circle() {
        Throwable first = new Exception("first");
        Throwable second = new Exception("second", first);
        first.initCause(second);
        first.addSuppressed(second);
        return first;
    }

    public static Throwable many() {
        Throwable all = new Exception("all");
        for (int i = 0; i < 100; i++) {
            all.addSuppressed(new Exception("suppressed", new Exception("cause " + i)));
        }
        return all;
    }

    public static Throwable deep() {
        return recurse(3000);
    }

    private static Throwable recurse(int depth) {
        return depth == 0 ? new Exception("deep") : recurse(depth - 1);
    }

    /** Below this class lies what the worker would be. */
    public static Throwable belowStub() {
        return Stub.run();
    }

    static class Stub {
        static Throwable run() {
            return inner();
        }
    }

    static Throwable inner() {
        return new Exception("inner");
    }

    public static Throwable longMessage() {
        char[] letters = new char[5000];
        Arrays.fill(letters, '\u00fc');
        return new Exception(new String(letters));
    }

    public static Throwable wrapsEnd() {
        try {
            Probes.exiting(1);
            return null;
        } catch (Throwable end) {
            return new Exception("wraps", end);
        }
    }

    public static Throwable fromProperties() {
        try {
            System.getProperties().put(null, "");
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    public static Throwable evil() {
        return new Evil();
    }

    static class Evil extends Exception {
        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }

        @Override
        public Throwable getCause() {
            throw new StackOverflowError();
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return null;
        }
    }

    public static Throwable endless() {
        return new Endless();
    }

    static class Endless extends Exception {
        @Override
        public String getMessage() {
            while (true) {
                Probes.budget();
            }
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            return new StackTraceElement[] {null, new StackTraceElement("a.B", "c", null, -2)};
        }
    }

    public static Throwable exits() {
        return new Exits();
    }

    static class Exits extends Exception {
        @Override
        public String getMessage() {
            Probes.exiting(3);
            return "not reached";
        }
    }

    // Collections.

    public static Object map() {
        Map<Object, Object> map = new HashMap<>();
        map.put("alpha", 1);
        map.put("omega", 2);
        map.put(7, 3);
        return map;
    }

    public static Object list() {
        return new ArrayList<>(Arrays.asList("alpha", "omega", null, 40));
    }

    public static Object fixedList() {
        return Arrays.asList("alpha");
    }

    public static String indexBounds() throws Exception {
        return IndexBounds.check();
    }

    public static Object noElements() {
        return new int[0];
    }

    public static Object character() {
        return '5';
    }

    public static Object flag() {
        return true;
    }

    public static Object empty() {
        return new ArrayList<>();
    }

    /** To walk through it is to run code of the program. */
    public static Object trap() {
        return new ArrayList<Object>(Collections.singletonList("alpha")) {
            @Override
            public Iterator<Object> iterator() {
                throw new Error();
            }
        };
    }

    public static Object wrappedTrap() {
        return Collections.unmodifiableCollection((List<?>) trap());
    }

    // Threads.

    /** On another thread nothing is recorded and nothing is spent, until such threads shall end. */
    public static String otherThread() throws Exception {
        final StringBuilder seen = new StringBuilder();
        Runnable work =
                new Runnable() {
                    @Override
                    public void run() {
                        for (int i = 0; i < 100000; i++) {
                            Probes.budget();
                        }
                        Probes.line(5);
                        Probes.enter(0);
                        Probes.jump(1, 1);
                        Probes.handler(null);
                        Probes.touch(77);
                        seen.append("done ");
                        Probes.foreignEnd = true;
                        expectEnd(seen, 0);
                        expectEnd(seen, 1);
                        expectEnd(seen, 2);
                    }
                };
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
        Probes.foreignEnd = false;
        return seen.toString() + State.touched[State.touchedCount - 1];
    }

    private static void expectEnd(StringBuilder seen, int probe) {
        try {
            if (probe == 0) {
                Probes.budget();
            } else if (probe == 1) {
                Probes.handler(null);
            } else {
                Probes.exiting(1);
            }
        } catch (Throwable end) {
            seen.append(end.getClass().getSimpleName()).append(' ');
        }
    }

    // Overflow of the stack, everywhere in a probe.

    public static String overflow() {
        for (int i = 0; i < 20; i++) {
            try {
                plunge(i);
            } catch (StackOverflowError e) {
                // As wanted.
            }
        }
        return "overflowed";
    }

    private static int plunge(int depth) {
        Probes.enter(0);
        Probes.line(depth % 3000);
        Probes.jump(depth, 3000 + depth % 100);
        Probes.switchKey(depth, 4000 + depth % 100);
        Probes.equalTo("left", "right", 4500);
        try {
            return plunge(depth + 1) + 1;
        } finally {
            Probes.unwind(null, 0);
        }
    }

    // State.

    /** What a reset would be told. */
    public static String state() {
        return Arrays.toString(Arrays.copyOf(State.initialised, State.initialisedCount))
                + Arrays.toString(Arrays.copyOf(State.touched, State.touchedCount))
                + Arrays.toString(Arrays.copyOf(State.during, State.duringCount));
    }

    // Clock and random numbers.

    /** All that a test can ask for, once. */
    public static String pinned() throws Exception {
        GregorianCalendar calendar = new GregorianCalendar();
        Pins.setTime(calendar);
        UUID uuid = Pins.randomUUID();
        return Pins.currentTimeMillis()
                + " " + Pins.nanoTime()
                + " " + Pins.clock().millis()
                + " " + Pins.clockUtc().instant().toEpochMilli()
                + " " + LocalDate.now(Pins.clock(ZoneId.of("Asia/Tokyo")))
                + " " + Pins.calendar().getTimeInMillis()
                + " " + Pins.calendar(TimeZone.getTimeZone("Asia/Tokyo"), Locale.JAPAN).getTimeInMillis()
                + " " + calendar.getTimeInMillis()
                + " | " + Pins.seed() + " " + Pins.seed()
                + " " + Pins.random() + " " + Pins.generator().nextInt()
                + " " + uuid + " " + uuid.version() + " " + uuid.variant();
    }

    /** The same while another thread asks too. */
    public static String pinnedBesideOthers() throws Exception {
        Thread other = new Thread(new Runnable() {
            @Override
            public void run() {
                Pins.currentTimeMillis();
                Pins.random();
                Pins.seed();
            }
        });
        other.start();
        other.join();
        return pinned();
    }

    // What surrounds a test.

    /** Changes everything and says what is left of that after a restore. */
    public static String ambience() throws Exception {
        PrintStream real = System.out;
        InputStream realIn = System.in;
        PrintStream realErr = System.err;
        Properties realProperties = System.getProperties();
        System.setProperty("crashback.kept", "kept");
        Ambient.install();
        StringBuilder wrong = new StringBuilder();
        for (int round = 0; round < 3; round++) {
            String before = surroundings();
            change(round);
            if (surroundings().equals(before)) {
                wrong.append("nothing changed; ");
            }
            Ambient.restore();
            if (!surroundings().equals(before)) {
                wrong.append(before).append(" became ").append(surroundings()).append("; ");
            }
        }
        System.setOut(real);
        System.setErr(realErr);
        System.setIn(realIn);
        System.setProperties(realProperties);
        return wrong.length() == 0 ? "as before" : wrong.toString();
    }

    private static void change(int round) throws Exception {
        Locale.setDefault(Locale.Category.FORMAT, Locale.JAPAN);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        Properties properties = System.getProperties();
        if (round == 0) {
            System.setProperty("crashback.new", "x");
            System.clearProperty("crashback.kept");
        } else if (round == 1) {
            properties.entrySet().iterator().next().setValue("changed");
            properties.keySet().remove("crashback.kept");
        } else {
            System.setProperties(new Properties());
        }
        System.out.println("nobody sees this");
        System.out.close();
        System.setErr(new PrintStream(System.err));
        System.setIn(new java.io.ByteArrayInputStream(new byte[3]));
        Thread thread = Thread.currentThread();
        thread.setName("other");
        thread.setPriority(Thread.MAX_PRIORITY);
        thread.setContextClassLoader(null);
        thread.setUncaughtExceptionHandler(Subjects::ignore);
        Thread.setDefaultUncaughtExceptionHandler(Subjects::ignore);
        thread.interrupt();
    }

    private static void ignore(Thread thread, Throwable thrown) {}

    private static String surroundings() throws Exception {
        Thread thread = Thread.currentThread();
        return new TreeMap<>((Properties) System.getProperties().clone()).hashCode()
                + " " + Locale.getDefault() + Locale.getDefault(Locale.Category.FORMAT) + Locale.getDefault(Locale.Category.DISPLAY)
                + " " + TimeZone.getDefault().getID()
                + " " + System.identityHashCode(System.out) + System.out.checkError()
                + " " + System.identityHashCode(System.err)
                + " " + System.identityHashCode(System.in) + System.in.available()
                + " " + thread.getName() + thread.getPriority() + thread.isInterrupted()
                + " " + thread.getContextClassLoader()
                + " " + (thread.getUncaughtExceptionHandler() == thread.getThreadGroup())
                + " " + Thread.getDefaultUncaughtExceptionHandler();
    }
}
