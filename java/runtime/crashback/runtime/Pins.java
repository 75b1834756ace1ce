package crashback.runtime;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;

/**
 * Clock and random numbers that are the same for every run of a test. Calls in program classes are
 * redirected here.
 *
 * <p>Other threads than the test's have a clock and seeds of their own: what they do in the
 * meantime must not show.
 */
public final class Pins {
    private static long start;
    private static long uptime;
    private static long seed;

    /** Milliseconds since the test began: every look at a clock takes one. */
    private static long elapsed;
    /** How many seeds the test has asked for. */
    private static long seeds;
    private static Random random;

    private static long othersElapsed;
    private static long othersSeeds;

    private Pins() {}

    /**
     * Says what tests find.
     *
     * @param clock milliseconds since 1970 at the start of each test
     * @param uptime milliseconds that {@code System.nanoTime()} has counted at the start of each test
     * @param seed of the random numbers of each test
     */
    public static void configure(long clock, long uptime, long seed) {
        start = clock;
        Pins.uptime = uptime;
        Pins.seed = seed;
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
        return (uptime + tick()) * 1000000;
    }

    /** A seed for a random generator that would choose one by itself. Seeds of one test differ. */
    public static long seed() {
        return seed + (Probes.isTest() ? seeds++ : othersSeed());
    }

    /** A generator with such a seed. */
    public static Random generator() {
        return new Random(seed());
    }

    /** {@code Math.random()}. */
    public static double random() {
        return source().nextDouble();
    }

    /** {@code UUID.randomUUID()}: version 4 of the usual variant (RFC 9562). */
    public static UUID randomUUID() {
        Random source = source();
        long high = source.nextLong() & ~0xf000L | 0x4000L;
        long low = source.nextLong() & ~(3L << 62) | 1L << 63;
        return new UUID(high, low);
    }

    /** {@code Clock.systemDefaultZone()}. */
    public static Clock clock() {
        return new PinnedClock(ZoneId.systemDefault());
    }

    /** {@code Clock.systemUTC()}. */
    public static Clock clockUtc() {
        return new PinnedClock(ZoneOffset.UTC);
    }

    /** {@code Clock.system(zone)}. */
    public static Clock clock(ZoneId zone) {
        if (zone == null) {
            throw new NullPointerException("zone");
        }
        return new PinnedClock(zone);
    }

    /** {@code Calendar.getInstance()}. */
    public static Calendar calendar() {
        return now(Calendar.getInstance());
    }

    /** {@code Calendar.getInstance(zone)}. */
    public static Calendar calendar(TimeZone zone) {
        return now(Calendar.getInstance(zone));
    }

    /** {@code Calendar.getInstance(locale)}. */
    public static Calendar calendar(Locale locale) {
        return now(Calendar.getInstance(locale));
    }

    /** {@code Calendar.getInstance(zone, locale)}. */
    public static Calendar calendar(TimeZone zone, Locale locale) {
        return now(Calendar.getInstance(zone, locale));
    }

    /** Sets a calendar that was just made. */
    public static void setTime(Calendar calendar) {
        calendar.setTimeInMillis(currentTimeMillis());
    }

    private static Calendar now(Calendar calendar) {
        setTime(calendar);
        return calendar;
    }

    private static long tick() {
        return Probes.isTest() ? elapsed++ : othersTick();
    }

    private static Random source() {
        if (!Probes.isTest()) {
            return generator();
        }
        if (random == null) {
            random = generator();
        }
        return random;
    }

    private static synchronized long othersTick() {
        return othersElapsed++;
    }

    private static synchronized long othersSeed() {
        return othersSeeds++;
    }
}
