package crashback.runtime;

import java.util.Arrays;

/**
 * Which classes were initialised and which a test touched, by number and whatever the thread: what
 * a reset must know.
 */
public final class State {
    /**
     * Numbers of the classes whose initialisers began, and, turned to negative by {@code ~}, of
     * those whose initialisers returned, in that order; the worker empties it by setting the count
     * to 0.
     */
    public static int[] initialised = new int[256];
    /** How many of them there are. */
    public static int initialisedCount;
    /** Numbers of the classes that were touched since the test began, each once. */
    public static int[] touched = new int[256];
    /** How many of them there are. */
    public static int touchedCount;

    /**
     * Pairs of numbers: an initialiser, and another class that it touched while it ran, each once;
     * emptied like {@link #initialised}.
     */
    public static int[] during = new int[256];
    /** How many numbers these are. */
    public static int duringCount;

    /** The initialisers that are running, outermost first. */
    private static int[] running = new int[16];
    private static int depth;

    /** For each class the last test that touched it. */
    private static int[] lastTest = new int[256];
    private static int test = 1;

    private State() {}

    static void begin() {
        if (touchedCount != 0 || depth != 0) {
            forgetTouched();
        }
    }

    private static synchronized void forgetTouched() {
        touchedCount = 0;
        depth = 0;
        if (++test == Integer.MAX_VALUE) {
            Arrays.fill(lastTest, 0);
            test = 1;
        }
    }

    /** Whether there is nothing to reset. */
    static boolean isUntouched() {
        return touchedCount == 0 && initialisedCount == 0;
    }

    static void touch(int number) {
        int[] last = lastTest;
        if (number >= last.length || number >= 0 && last[number] != test) {
            firstTouch(number);
        }
        if (depth != 0) {
            touchedDuring(number);
        }
    }

    private static synchronized void touchedDuring(int number) {
        if (depth == 0 || running[depth - 1] == number || isKnown(running[depth - 1], number)) {
            return;
        }
        try {
            if (duringCount == during.length) {
                during = Arrays.copyOf(during, 2 * duringCount);
            }
            during[duringCount] = running[depth - 1];
            during[duringCount + 1] = number;
            duringCount += 2;
        } catch (OutOfMemoryError e) {
            overflow = true;
        }
    }

    /** Loops in initialisers touch the same few classes again and again. */
    private static boolean isKnown(int initialiser, int number) {
        for (int i = duringCount - 2; i >= 0; i -= 2) {
            if (during[i] == initialiser && during[i + 1] == number) {
                return true;
            }
        }
        return false;
    }

    static synchronized void initialised(int number) {
        for (int i = depth - 1; i >= 0; i--) {
            if (running[i] == number) {
                depth = i;
                note(~number);
                return;
            }
        }
    }

    static void initialiser(int number) {
        touch(number);
        initialising(number);
    }

    private static synchronized void initialising(int number) {
        note(number);
        try {
            if (depth == running.length) {
                running = Arrays.copyOf(running, 2 * depth);
            }
            running[depth++] = number;
        } catch (OutOfMemoryError e) {
            overflow = true;
        }
    }

    private static void note(int entry) {
        try {
            if (initialisedCount == initialised.length) {
                initialised = Arrays.copyOf(initialised, 2 * initialisedCount);
            }
            initialised[initialisedCount++] = entry;
        } catch (OutOfMemoryError e) {
            overflow = true;
        }
    }

    private static synchronized void firstTouch(int number) {
        try {
            if (number >= lastTest.length) {
                lastTest = Arrays.copyOf(lastTest, Math.max(number + 1, 2 * lastTest.length));
            }
            if (touchedCount == touched.length) {
                touched = Arrays.copyOf(touched, 2 * touchedCount);
            }
            if (lastTest[number] != test) {
                lastTest[number] = test;
                touched[touchedCount++] = number;
            }
        } catch (OutOfMemoryError e) {
            overflow = true;
        }
    }

    /** Whether the lists are incomplete for want of memory. Only a new class loader helps then. */
    public static boolean overflow;
}
