package crashback.runtime;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of a worker's job around a test that concerns probes. Changes that tests make in the JDK stay, as
 * they do without probes.
 */
public final class Observation {
    /** How much of the program may run while its exceptions are read. */
    private static final int READING_BUDGET = 10000;

    /** A test that has more left than this was given as much as there can be. */
    private static final int ENDLESS = 1 << 29;

    private static long bytes;
    /** Milliseconds that {@code System.nanoTime()} has counted when a test begins. */
    private static final long UPTIME = 1000;

    private Observation() {}

    /** Reads the probes: budget, clock, seed, frame probes of the target call chain and jump codes. */
    public static void configure(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            int budget = in.readInt();
            long clock = in.readLong();
            Pins.configure(clock, UPTIME, in.readLong());
            int[] chain = new int[in.readInt()];
            for (int i = 0; i < chain.length; i++) {
                chain[i] = in.readInt();
            }
            byte[] jumpCodes = new byte[in.readInt()];
            in.readFully(jumpCodes);
            Probes.configure(jumpCodes, chain, budget, true, "");
        }
    }

    /**
     * Refills a budget that is meant to be without end: tests of libraries loop more often than an int can
     * count. Plain runs have the thread as well, since tests may look at all threads.
     */
    public static void refill() {
        Thread thread = new Thread(() -> {
            try {
                Field remaining = Probes.class.getDeclaredField("remaining");
                remaining.setAccessible(true);
                while (true) {
                    Thread.sleep(50);
                    if (remaining.getInt(null) > ENDLESS) {
                        remaining.setInt(null, Integer.MAX_VALUE);
                    }
                }
            } catch (ReflectiveOperationException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        }, "refill");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on probes record what this thread does. */
    public static void begin() {
        Probes.newBatch();
        Probes.begin();
    }

    /** Encodes the facts, as for a search, and says what is wrong with them: only a spent budget is. */
    public static String end() {
        int over = Probes.over;
        Probes.limit(READING_BUDGET);
        try {
            Facts.encode(Facts.RETURNED, 0, 0, 0, null);
            bytes += Encoding.length;
        } catch (Throwable failure) {
            // The launcher would take this for a failure of the listener and go on.
            return " (no facts: " + failure + ")";
        } finally {
            Probes.abandon();
        }
        return over == 0 ? "" : " (the probes ended it)";
    }

    /** How many bytes of facts there were. */
    public static long bytes() {
        return bytes;
    }
}
