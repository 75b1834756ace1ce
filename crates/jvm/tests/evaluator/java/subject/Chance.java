package subject;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Everything that differs from run to run in a plain JVM, thrown as a text. */
public final class Chance {
    private Chance() {}

    public static void all() {
        Map<Object, String> hashed = new HashMap<>();
        Map<Object, String> identities = new IdentityHashMap<>();
        for (String name : new String[] {"one", "two", "three", "four", "five"}) {
            hashed.put(new Named(name), name);
            identities.put(new Named(name), name);
        }
        throw new IllegalStateException(
                hashed.values()
                        + " " + identities.size()
                        + " " + immutable(Set.class, "a", "b", "c", "d", "e", "f")
                        + " " + immutable(Map.class, "k", 1, "l", 2, "m", 3)
                        + " " + new Random().nextInt()
                        + " " + Math.random()
                        + " " + System.currentTimeMillis()
                        + " " + System.nanoTime()
                        + " " + new Date().getTime()
                        + " " + Instant.now()
                        + " " + LocalDateTime.now()
                        + " " + UUID.randomUUID()
                        + " " + new Object().hashCode()
                        + " " + System.identityHashCode("x"));
    }

    /** Throws the values that a test has got by itself. */
    public static void tell(
            long millis, Date date, Calendar calendar, Calendar made, Random random, LocalTime time, Instant now) {
        throw new IllegalStateException(
                millis
                        + " " + date.getTime()
                        + " " + calendar.getTimeInMillis()
                        + " " + made.getTimeInMillis()
                        + " " + random.nextInt()
                        + " " + time
                        + " " + now);
    }

    /** {@code Set.of} and {@code Map.of}, which Java 8 does not have. */
    private static Object immutable(Class<?> type, Object... content) {
        Class<?>[] parameters = new Class<?>[content.length];
        Arrays.fill(parameters, Object.class);
        try {
            return type.getMethod("of", parameters).invoke(null, content);
        } catch (ReflectiveOperationException e) {
            return "none";
        }
    }

    private static final class Named {
        private final String name;

        Named(String name) {
            this.name = name;
        }
    }
}
