package crashback.runtime;

import java.util.Random;
import java.util.UUID;

/** Clock and random numbers that are the same for every run of a test. Calls in program classes are redirected here. */
public final class Pins {
    private static long start;
    private static long seed;

    /** Milliseconds since the test began: every look at a clock takes one. */
    private static long elapsed;
    /** How many seeds the test has asked for. */
    private static long seeds;
    private static Random random;

    private Pins() {}

    /**
     * Says what tests find.
     *
     * @param clock milliseconds since 1970 at the start of each test
     * @param seed of the random numbers of each test
     */
    public static void configure(long clock, long seed) {
        start = clock;
        Pins.seed = seed;
        random = null;
        begin();
    }

    static void begin() {
        elapsed = 0;
        seeds = 0;
        random = null;
    }

    /** {@code System.currentTimeMillis()}. */
    public static long currentTimeMillis() {
        return start + tick();
    }

    /** {@code System.nanoTime()}. */
    public static long nanoTime() {
        return tick() * 1000000;
    }

    /** A seed for a random generator that would choose one by itself. Seeds of one test differ. */
    public static synchronized long seed() {
        return seed + seeds++;
    }

    /** {@code Math.random()}. */
    public static double random() {
        return source().nextDouble();
    }

    /** {@code UUID.randomUUID()}: version 4, variant 2 (RFC 9562). */
    public static UUID randomUUID() {
        Random source = source();
        long high = source.nextLong() & ~0xf000L | 0x4000L;
        long low = source.nextLong() & ~(3L << 62) | 1L << 63;
        return new UUID(high, low);
    }

    private static synchronized long tick() {
        return elapsed++;
    }

    private static synchronized Random source() {
        if (random == null) {
            random = new Random(seed());
        }
        return random;
    }
}
