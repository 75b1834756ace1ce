import java.util.Random;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.commons.lang3.text.StrBuilder;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The calls of the benchmark in plain loops: the most that any evaluator could reach. Prints calls per
 * second and nanoseconds of computing per call.
 */
public final class Bare {
    private Bare() {}

    private static final int ARGUMENTS = 1 << 14;
    private static long sink;

    public static void main(String[] arguments) {
        long warm = (long) (Double.parseDouble(arguments[1]) * 1e9);
        long measured = (long) (Double.parseDouble(arguments[2]) * 1e9);
        String[] texts = new String[ARGUMENTS];
        double[] numbers = new double[ARGUMENTS];
        Random random = new Random(1);
        for (int i = 0; i < ARGUMENTS; i++) {
            boolean numeric = arguments[0].equals("string returns");
            texts[i] = numeric ? number(random) : word(random);
            numbers[i] = random.nextDouble();
        }
        loop(arguments[0], texts, numbers, warm);
        double computed = cpu();
        double[] result = loop(arguments[0], texts, numbers, measured);
        System.out.println(result[0] + " " + (cpu() - computed) / result[1]);
        if (sink == 42) {
            System.out.println();
        }
    }

    static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int length = 10 + random.nextInt(30); length > 0; length--) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }

    static String number(Random random) {
        return random.nextInt(1_000_000) + "." + random.nextInt(1_000_000) + "e" + random.nextInt(20);
    }

    /** Nanoseconds that this thread has computed. */
    private static double cpu() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Calls a second, and how many there were. */
    private static double[] loop(String subject, String[] texts, double[] numbers, long time) {
        long begun = System.nanoTime();
        long calls = 0;
        long passed;
        do {
            switch (subject) {
                case "string returns":
                case "string throws":
                    string(texts);
                    break;
                case "builder returns":
                    builder(texts, 0);
                    break;
                case "builder throws":
                    builder(texts, 9999);
                    break;
                case "numeric returns":
                    numeric(numbers, 0);
                    break;
                case "numeric throws":
                    numeric(numbers, 2);
                    break;
                case "statics returns":
                    statics(texts);
                    break;
                default:
                    failingStatics(texts);
            }
            calls += ARGUMENTS;
            passed = System.nanoTime() - begun;
        } while (passed < time);
        return new double[] {calls * 1e9 / passed, calls};
    }

    private static void string(String[] texts) {
        for (String text : texts) {
            try {
                sink += NumberUtils.createNumber(text).intValue();
            } catch (RuntimeException thrown) {
                sink += thrown.getStackTrace().length;
            }
        }
    }

    private static void builder(String[] texts, int at) {
        for (String text : texts) {
            try {
                StrBuilder builder = new StrBuilder(text);
                builder.append(text);
                builder.reverse();
                builder.replaceAll("a", "bc");
                builder.trim();
                sink += builder.charAt(at);
            } catch (RuntimeException thrown) {
                sink += thrown.getStackTrace().length;
            }
        }
    }

    private static void numeric(double[] numbers, double beyond) {
        for (double number : numbers) {
            try {
                NormalDistribution distribution = new NormalDistribution(number, 1 + number);
                sink += (long) distribution.inverseCumulativeProbability(number + beyond);
            } catch (RuntimeException thrown) {
                sink += thrown.getStackTrace().length;
            }
        }
    }

    private static void statics(String[] texts) {
        for (String text : texts) {
            sink += Statics.note(text);
            // What a reset would do by hand, so that the list does not grow.
            Clean.clean();
        }
    }

    private static void failingStatics(String[] texts) {
        for (String text : texts) {
            try {
                sink += Statics.fail(text);
            } catch (RuntimeException thrown) {
                sink += thrown.getStackTrace().length;
            }
            Clean.clean();
        }
    }

    /** Empties the list through reflection once in a while. */
    private static final class Clean {
        private static int calls;
        private static final java.util.List<?> LIST = list();

        static void clean() {
            if (++calls % 1024 == 0) {
                LIST.clear();
            }
        }

        private static java.util.List<?> list() {
            try {
                java.lang.reflect.Field field = Statics.class.getDeclaredField("SEEN");
                field.setAccessible(true);
                return (java.util.List<?>) field.get(null);
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
