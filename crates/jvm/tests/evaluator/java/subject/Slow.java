package subject;

/** Calls that take long, always or the first time. */
public final class Slow {
    private Slow() {}

    public static int quick(int number) {
        return number + 1;
    }

    public static void sleep(int milliseconds) throws InterruptedException {
        Thread.sleep(milliseconds);
    }

    public static void fail(int milliseconds) throws InterruptedException {
        Thread.sleep(milliseconds);
        throw new IllegalStateException("late");
    }

    public static int initialise() {
        return Initialised.NUMBER.length();
    }

    private static final class Initialised {
        static final String NUMBER;

        static {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            NUMBER = "" + quick(1);
        }
    }
}
