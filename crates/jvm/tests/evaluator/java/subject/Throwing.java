package subject;

/** Exceptions of all shapes. */
public final class Throwing {
    private Throwing() {}

    public static void chain() {
        try {
            inner();
        } catch (IllegalArgumentException cause) {
            throw new IllegalStateException("outer", cause);
        }
    }

    private static void inner() {
        throw new IllegalArgumentException("inner");
    }

    public static void suppressed() throws Exception {
        try (AutoCloseable resource = () -> inner()) {
            throw new IllegalStateException("body");
        }
    }

    public static void circle() {
        RuntimeException one = new RuntimeException("one");
        RuntimeException two = new RuntimeException("two", one);
        one.initCause(two);
        throw one;
    }

    public static void odd() {
        throw new RuntimeException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("from getMessage");
            }

            @Override
            public StackTraceElement[] getStackTrace() {
                return null;
            }

            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };
    }

    public static void unicode() {
        throw new IllegalStateException("\ud83d\udca5 \ud800 \u0000 end");
    }

    public static void caller() {
        throw new IllegalStateException(new Throwable().getStackTrace()[1].getClassName());
    }
}
