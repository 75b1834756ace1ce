import java.util.ArrayList;
import java.util.List;

/** Uses what the rewriter has to move: loops, switches, handlers, locks, constructors that decide before they call super. */
public class Behaviour {
    static final List<String> LOG = new ArrayList<>();

    public static void main(String[] arguments) {
        for (int i = -3; i < 12; i++) {
            LOG.add(i + ": " + table(i) + " " + lookup(i * 100) + " " + handlers(i) + " " + locked(i) + " " + loops(i));
            LOG.add(new Derived(i, i % 3 == 0).toString() + " " + text("case" + i) + " " + wide(i, i * 2L, i / 3.0, i / 7f));
        }
        try {
            new Derived(99, true);
        } catch (IllegalStateException expected) {
            LOG.add(expected.getMessage());
        }
        System.out.println(String.join("\n", LOG));
    }

    static int table(int key) {
        switch (key) {
            case 0: return 10;
            case 1: key += 5;
            case 2: return key;
            case 5: return -5;
            default: return 77;
        }
    }

    static String lookup(int key) {
        switch (key) {
            case -300: return "low";
            case 0: return "zero";
            case 1000: return "high";
            default: return "other";
        }
    }

    static int text(String word) {
        switch (word) {
            case "case1": return 1;
            case "case7": return 7;
            default: return word.length();
        }
    }

    static String handlers(int i) {
        StringBuilder path = new StringBuilder();
        try {
            try {
                path.append(12 / i).append(new int[5][i % 7].length);
                Object object = i % 2 == 0 ? "even" : Integer.valueOf(i);
                path.append(((String) object).charAt(i));
            } catch (ArithmeticException | NegativeArraySizeException caught) {
                path.append("first").append(caught.getClass().getSimpleName());
            } finally {
                path.append("finally");
            }
        } catch (RuntimeException caught) {
            path.append("second").append(caught.getClass().getSimpleName());
        }
        return path.toString();
    }

    static int locked(int i) {
        Object lock = new Object();
        try {
            synchronized (lock) {
                if (i % 4 == 0) {
                    throw new IllegalStateException();
                }
                return i;
            }
        } catch (IllegalStateException released) {
            return Thread.holdsLock(lock) ? -1 : 1000;
        }
    }

    static long loops(int i) {
        long sum = 0;
        do {
            for (int j = 0; j < i; j++) {
                if (j == 7) {
                    continue;
                }
                sum += j > 3 ? j * 2L : -j;
            }
            i--;
        } while (i > 0);
        return sum;
    }

    static String wide(int i, long l, double d, float f) {
        boolean small = l < 3L && d >= 0.5 || f != 0f;
        return (small ? "small" : "large") + (l == 8 ? new StringBuilder(i > 3 ? "x" : "y") : null);
    }

    static class Base {
        final Object given;

        Base(Object given) {
            if (given instanceof Integer && (Integer) given == 99) {
                throw new IllegalStateException("base");
            }
            this.given = given;
        }
    }

    static class Derived extends Base {
        int after;

        Derived(int i, boolean boxed) {
            super(boxed ? Integer.valueOf(i) : new StringBuilder(i > 2 ? "big" : "small").toString());
            try {
                after = 6 / i;
            } catch (ArithmeticException zero) {
                after = -1;
            }
        }

        @Override
        public String toString() {
            return given + "/" + after;
        }
    }
}
