package crashback.runtime;

import java.util.Arrays;

/** Which classes were initialised and which a test touched, by number and whatever the thread: what a reset must know. */
public final class State {
    /** Numbers of the classes whose initialisers began, in that order; the worker empties it by setting the count to 0. */
    public static int[] initialised = new int[256];
    /** How many of them there are. */
    public static int initialisedCount;
    /** Numbers of the classes that were touched since the test began, each once. */
    public static int[] touched = new int[256];
    /** How many of them there are. */
    public static int touchedCount;

    /** For each class the last test that touched it. */
    private static int[] lastTest = new int[256];
    private static int test = 1;

    private State() {}

    static synchronized void begin() {
        touchedCount = 0;
        if (++test == Integer.MAX_VALUE) {
            Arrays.fill(lastTest, 0);
            test = 1;
        }
    }

    static void touch(int number) {
        int[] last = lastTest;
        if (number >= last.length || number >= 0 && last[number] != test) {
            firstTouch(number);
        }
    }

    static void initialiser(int number) {
        touch(number);
        initialising(number);
    }

    private static synchronized void initialising(int number) {
        try {
            if (initialisedCount == initialised.length) {
                initialised = Arrays.copyOf(initialised, 2 * initialisedCount);
            }
            initialised[initialisedCount++] = number;
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
