package subject;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TimeZone;

/** What tests do to the JVM around them. */
public final class Leaving {
    private Leaving() {}

    private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

    public static void exit(int status) {
        System.exit(status);
    }

    public static void halt(int status) {
        Runtime.getRuntime().halt(status);
    }

    public static void swallowedExit() {
        try {
            System.exit(7);
        } catch (Throwable swallowed) {
            // Goes on as if nothing had happened.
        }
    }

    public static void shutdownHook() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
    }

    public static void timer() {
        new Timer().schedule(new TimerTask() {
            @Override
            public void run() {
                System.setProperty("leaving.timer", "ticked");
            }
        }, 1, 1);
    }

    /** Begins to do so whenever the new thread gets to run. */
    public static void thread() {
        new Thread(Leaving::tick).start();
    }

    /** The same in a virtual thread, where there are such. */
    public static void virtualThread() throws Exception {
        java.lang.reflect.Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            return;
        }
        Runnable later = () -> {
            pause();
            tick();
        };
        start.invoke(null, later);
    }

    private static void tick() {
        while (true) {
            System.setProperty("leaving.timer", "ticked");
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException early) {
            // Nobody interrupts.
        }
    }

    public static int overflow() {
        return overflow() + 1;
    }

    public static int overflowInInitialiser() {
        return Deep.VALUE;
    }

    private static final class Deep {
        static final int VALUE = overflow();
    }

    public static int failingInitialiser() {
        return Failing.VALUE;
    }

    private static final class Failing {
        static final int VALUE = Integer.parseInt("no number");
    }

    public static int outOfMemory() {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1 << 20]);
        }
    }

    public static void print(String text) {
        for (int i = 0; i < 1000; i++) {
            System.out.println(text);
            System.err.println(text);
        }
    }

    public static int read() throws java.io.IOException {
        return System.in.read();
    }

    /** Writes to an address that nobody has. */
    public static void crash() throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        type.getMethod("putLong", long.class, long.class).invoke(unsafe, 0L, 0L);
    }

    public static void change() {
        Locale.setDefault(Locale.JAPAN);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        System.setProperty("leaving.changed", "yes");
        System.getProperties().remove("user.dir");
        System.setOut(new PrintStream(System.err));
        Thread.currentThread().setName("changed");
        Thread.currentThread().setContextClassLoader(null);
        Thread.currentThread().interrupt();
        LOCAL.set("left behind");
    }

    /** Everything that {@link #change} changes, as one text. */
    public static String surroundings() {
        return Locale.getDefault()
                + " " + TimeZone.getDefault().getID()
                + " " + System.getProperty("leaving.changed")
                + " " + System.getProperty("leaving.timer")
                + " " + (System.getProperty("user.dir") != null)
                + " " + Thread.currentThread().getName()
                + " " + (Thread.currentThread().getContextClassLoader() == Leaving.class.getClassLoader())
                + " " + Thread.currentThread().isInterrupted()
                + " " + LOCAL.get()
                + " " + java.nio.charset.Charset.defaultCharset();
    }

    /** Does so after others had some time. */
    public static void tellLater() {
        pause();
        pause();
        tell();
    }

    /** Throws the surroundings, so that a test can see them. */
    public static void tell() {
        throw new IllegalStateException(surroundings());
    }
}
