package subject;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Ways of not coming back. */
public final class Hanging {
    private Hanging() {}

    private static int sink;

    public static void applicationLoop() {
        while (true) {
            sink++;
        }
    }

    public static void nestedCountedLoop() {
        for (int i = 0; i < Integer.MAX_VALUE; i++) {
            for (int j = 0; j < Integer.MAX_VALUE; j++) {
                for (int k = 0; k < Integer.MAX_VALUE; k++) {
                    sink += i ^ j ^ k;
                }
            }
        }
    }

    public static void catchAllLoop() {
        while (true) {
            try {
                while (true) {
                    sink++;
                }
            } catch (Throwable swallowed) {
                sink--;
            }
        }
    }

    public static void finallyLoop() {
        while (true) {
            try {
                applicationLoop();
            } finally {
                continue;
            }
        }
    }

    public static boolean regexBacktracking() {
        return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("(a+)+\\1b");
    }

    public static void sleep() throws InterruptedException {
        Thread.sleep(1_000_000);
    }

    public static void sleepAgain() {
        while (true) {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException ignored) {
                // Goes on sleeping.
            }
        }
    }

    public static void waitForNobody() throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            lock.wait();
        }
    }

    public static void park() {
        while (true) {
            LockSupport.park();
        }
    }

    public static void latch() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    public static int blockingRead() throws IOException {
        PipedInputStream in = new PipedInputStream(new PipedOutputStream());
        return in.read();
    }

    /** Blocks in a system call that the JVM cannot interrupt. */
    public static int nativeBlock() throws IOException {
        Pipe pipe = Pipe.open();
        return pipe.source().read(ByteBuffer.allocate(1));
    }

    /** Two locks, two threads, each waiting for the other's. */
    public static void deadlock() throws InterruptedException {
        Object one = new Object();
        Object other = new Object();
        CountDownLatch held = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            synchronized (other) {
                held.countDown();
                synchronized (one) {
                    sink++;
                }
            }
        });
        synchronized (one) {
            thread.start();
            held.await();
            synchronized (other) {
                sink++;
            }
        }
    }

    /** Returns at once and leaves threads behind that never end by themselves. */
    public static void runawayThreads() {
        for (int i = 0; i < 4; i++) {
            new Thread(Hanging::catchAllLoop).start();
            new Thread(Hanging::sleepAgain).start();
        }
    }

    public static int busyInitialiser() {
        return Busy.TABLE[7];
    }

    private static final class Busy {
        static final int[] TABLE = new int[1000];

        static {
            for (int round = 0; round < 1000; round++) {
                for (int i = 0; i < TABLE.length; i++) {
                    TABLE[i] += i;
                }
            }
        }
    }

    public static int endlessInitialiser() {
        return Endless.VALUE;
    }

    private static final class Endless {
        static final int VALUE = forever();

        private static int forever() {
            int value = 0;
            while (value < 1 || value > 0) {
                value++;
            }
            return value;
        }
    }

    public static int endlessMessage() {
        throw new IllegalStateException() {
            @Override
            public String getMessage() {
                applicationLoop();
                return "never";
            }
        };
    }

    /** What a test after each of these must find: itself. */
    public static int healthy(int value) {
        return value + 1;
    }
}
