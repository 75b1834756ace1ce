package crashback.runtime;

/**
 * What inserted code calls. Only the test's own thread is observed. Apart from {@link TestEnd} and
 * a StackOverflowError nothing leaves a probe, and whatever a probe leaves half done is forgotten
 * at the next {@link #begin}.
 *
 * <p>The worker calls {@link #configure} once, {@link #newBatch} for every batch, and for every
 * test {@link #begin}, unless {@link #next} has done so, then {@link #next} or {@link #abandon}.
 */
public final class Probes {
    /** Values of {@link #over}: the budget is spent. */
    public static final int BUDGET = 1;
    /** The test asked the JVM to exit. */
    public static final int EXIT = 2;
    /** The worker stopped the test. */
    public static final int STOPPED = 3;

    /** Set in what {@link #next} returns: static state was touched or a class initialised. */
    public static final long STATE_TOUCHED = 1L << 40;

    /** What ends a test from inside. */
    static final TestEnd END = new TestEnd("the test is over");
    /** What the worker ends a test with, by JVMTI StopThread. Nothing here swallows it. */
    public static final TestEnd STOP = new TestEnd("the test was stopped");

    /** How much of the program may run while its exceptions are read. */
    private static final int READING_BUDGET = 10000;

    /** Why the running test must end, or 0. */
    public static volatile int over;
    /** What a test that is over by {@link #EXIT} wanted to exit with. */
    public static int exitStatus;
    /** Whether threads that do not run the test must end. */
    public static volatile boolean foreignEnd;

    /** The thread that is observed; null outside of tests. */
    private static Thread owner;
    /** The thread whose budget is counted: the owner, and for a while after the test. */
    private static Thread runner;
    private static int remaining;
    /**
     * How many initialisers are running on that thread, and what was left of the budget when the
     * outermost of them began.
     */
    private static int initialisers;
    private static int remainingBefore;
    /**
     * What initialisers may spend, if that is more: they run once for many tests, and tables take a
     * while to be computed.
     */
    private static final int INITIALISERS_BUDGET = 5_000_000;
    private static int budget;

    private static int markedLength;

    private Probes() {}

    // Control, for the worker.

    /**
     * Says what the probes are.
     *
     * @param jumpCodes for each probe how its operands are compared: see {@code Probe::jump_code}
     * @param chain numbers of the frame probes of the target call chain, outermost first
     * @param budget how many calls of {@link #budget} a test may make
     * @param operands whether operands of comparisons are kept
     * @param stub binary name of the class whose native method runs tests
     */
    public static void configure(byte[] jumpCodes, int[] chain, int budget, boolean operands, String stub) {
        Probes.budget = budget;
        Record.configure(jumpCodes, chain, operands);
        Throwables.stub = stub;
    }

    /** A new batch: frames of stack traces, and ways, are numbered from 0 again. */
    public static void newBatch() {
        Frames.newBatch();
        Paths.newBatch();
        Words.newBatch();
        taken();
    }

    /** A test begins on this thread. */
    public static void begin() {
        Record.begin();
        State.begin();
        Pins.begin();
        Ambient.begin();
        Logs.begin();
        limit(budget);
        owner = Thread.currentThread();
    }

    /**
     * From now on this thread has a budget, and nothing is recorded: for code of the program that
     * runs outside of tests.
     */
    public static void limit(int budget) {
        owner = null;
        exitStatus = 0;
        over = 0;
        remaining = budget;
        initialisers = 0;
        runner = Thread.currentThread();
    }

    /**
     * The test has ended, and another begins on this thread, unless there is state to be reset.
     * Appends an observation to {@link Encoding#out}, and undoes what the test did to the JDK:
     * defaults, properties, streams, its thread.
     *
     * <p>When this throws, {@link #undo} must be called.
     *
     * @param thrown what left the test, or null
     * @param completed how many statements completed
     * @param nulls the calls among the first 64 statements that yielded null, a bit each
     * @param aborted whether the JVM has cut the test short, so that nothing is told but what was
     * thrown
     * @return in the lower half the number of bytes in use; above it {@link #over}, and {@link
     * #STATE_TOUCHED} where {@link State} has something
     *     to tell: then no test has begun
     */
    public static long next(Throwable thrown, int completed, long nulls, boolean aborted) {
        mark();
        owner = null;
        int ended = over;
        if (aborted) {
            Record.begin();
        }
        Throwable told = thrown instanceof TestEnd ? null : thrown;
        if (told == null && Record.caught == 0) {
            Facts.encode(outcome(ended, thrown), exitStatus, completed, nulls, null);
        } else {
            int status = exitStatus;
            limit(READING_BUDGET);
            Facts.encode(outcome(ended, thrown), status, completed, nulls, told);
        }
        runner = null;
        Ambient.restore();
        long result = (long) ended << 32 | Encoding.length;
        if (State.isUntouched()) {
            begin();
            return result;
        }
        return result | STATE_TOUCHED;
    }

    private static int outcome(int ended, Throwable thrown) {
        switch (ended) {
            case BUDGET:
                return Facts.BUDGET_SPENT;
            case EXIT:
                return Facts.EXITED;
            case STOPPED:
                return Facts.STOPPED;
            default:
                return thrown == null ? Facts.RETURNED : Facts.THREW;
        }
    }

    /** What {@link #undo} goes back to. */
    private static void mark() {
        markedLength = Encoding.length;
        Frames.mark();
        Paths.mark();
        Words.mark();
    }

    /**
     * {@link #next} has thrown. What it has appended, if anything, is taken back.
     *
     * @param length how many bytes were in use before
     */
    public static void undo(int length) {
        if (markedLength == length) {
            Encoding.length = length;
            Frames.takeBack();
            Paths.takeBack();
            Words.takeBack();
        }
        abandon();
    }

    /** All bytes have been taken from {@link Encoding#out}. */
    public static void taken() {
        Encoding.length = 0;
        mark();
    }

    /** The test has ended and nobody gets to see its facts. The JDK is made as it was. */
    public static void abandon() {
        owner = null;
        runner = null;
        Record.forgetCaught();
        Ambient.restore();
    }

    /**
     * The test must end. The worker's watchdog calls this before it stops the thread, and again
     * while the test goes on: then no handler and no loop of the program keeps it alive.
     */
    public static void stop() {
        over = STOPPED;
        remaining = -1;
    }

    // Probes that may end the test.

    /**
     * A method is entered or a loop goes round. Nothing is called as often, so this is short enough
     * for the quick compiler to put it where it is called: it does so up to 35 bytes.
     */
    public static void budget() {
        if (Thread.currentThread() == runner) {
            if (--remaining < 0) {
                spent();
            }
        } else {
            elsewhere();
        }
    }

    private static void elsewhere() {
        if (foreignEnd) {
            throw END;
        }
    }

    /** Something arrives at a handler that would catch the end of the test. */
    public static void handler(Object thrown) {
        if (Thread.currentThread() == runner) {
            if (over != 0) {
                throw ending();
            }
        } else if (foreignEnd) {
            throw END;
        }
    }

    /** The program asks the JVM to exit or to halt. */
    public static void exiting(int status) {
        if (Thread.currentThread() == runner) {
            if (over == 0) {
                exitStatus = status;
                over = EXIT;
                remaining = 0;
            }
            throw ending();
        }
        throw END;
    }

    private static void spent() {
        remaining = 0;
        if (over == 0) {
            over = BUDGET;
        }
        throw ending();
    }

    /** Whether this is the thread of the test. */
    static boolean isTest() {
        return Thread.currentThread() == runner;
    }

    /** Whether this is the thread of the test, and it is observed. */
    static boolean isObserved() {
        return Thread.currentThread() == owner;
    }

    private static TestEnd ending() {
        return over == STOPPED ? STOP : END;
    }

    // Probes that record.

    /** An int is compared with 0. */
    public static void jump(int value, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump(value, probe);
        }
    }

    /** Two ints are compared. */
    public static void jump(int left, int right, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump(left, right, probe);
        }
    }

    /** Two longs are compared. */
    public static void jump(long left, long right, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump(left, right, probe);
        }
    }

    /** Two floats are compared. */
    public static void jump(float left, float right, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump((double) left, (double) right, probe);
        }
    }

    /** Two doubles are compared. */
    public static void jump(double left, double right, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump(left, right, probe);
        }
    }

    /** A reference is compared with null. */
    public static void jump(Object value, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump(value, probe);
        }
    }

    /** Two references are compared. */
    public static void jump(Object left, Object right, int probe) {
        if (Thread.currentThread() == owner) {
            Record.jump(left, right, probe);
        }
    }

    /** A switch looks at its key. */
    public static void switchKey(int key, int probe) {
        if (Thread.currentThread() == owner) {
            Record.switchKey(key, probe);
        }
    }

    /** A switch over a text looks at its hash code. */
    public static void switchText(Object text, int probe) {
        if (Thread.currentThread() == owner) {
            Record.switchText(text, probe);
        }
    }

    /** A line is reached. */
    public static void line(int probe) {
        if (Thread.currentThread() == owner) {
            Record.reach(probe);
        }
    }

    /** A block is reached. */
    public static void block(int probe) {
        if (Thread.currentThread() == owner) {
            Record.reach(probe);
        }
    }

    /** A method of the target call chain is entered. */
    public static void enter(int frame) {
        if (Thread.currentThread() == owner) {
            Record.enter(frame);
        }
    }

    /** The method returns. */
    public static void leave(int frame) {
        if (Thread.currentThread() == owner) {
            Record.leave(frame);
        }
    }

    /** The method is left by an exception. */
    public static void unwind(Throwable thrown, int frame) {
        if (Thread.currentThread() == owner) {
            Record.leave(frame);
        }
    }

    /** An exception arrives at a handler. */
    public static void caught(Object thrown, int probe) {
        if (Thread.currentThread() == owner && thrown instanceof Throwable && !(thrown instanceof TestEnd)) {
            Record.caught((Throwable) thrown, probe);
        }
    }

    // Arguments that a method of the target call chain is entered with, and the numbers of their
    // parameters.

    /** An object, which may be a text or a number. */
    public static void argument(Object value, int parameter) {
        if (Thread.currentThread() == owner) {
            Arguments.object(value, parameter);
        }
    }

    public static void argument(int value, int parameter) {
        if (Thread.currentThread() == owner) {
            Arguments.integer(value, parameter);
        }
    }

    public static void argument(long value, int parameter) {
        if (Thread.currentThread() == owner) {
            Arguments.integer(value, parameter);
        }
    }

    public static void argument(float value, int parameter) {
        if (Thread.currentThread() == owner) {
            Arguments.floating(value, parameter);
        }
    }

    public static void argument(double value, int parameter) {
        if (Thread.currentThread() == owner) {
            Arguments.floating(value, parameter);
        }
    }

    /** A logging library is about to hand out an event. */
    public static void logged(Object event) {
        if (Thread.currentThread() == owner) {
            Logs.logged(event);
        }
    }

    // Calls that compare or look up. Their result is 0 or 1, an index or null; a jump that looks at
    // it follows.

    /** {@code equals}. */
    public static void equalTo(Object left, Object right, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.equal(left, right, probe);
        }
    }

    /** {@code Objects.equals}. */
    public static void objectsEqual(Object left, Object right, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.equal(left, right, probe);
        }
    }

    /** {@code String.equalsIgnoreCase}. */
    public static void equalsIgnoreCase(Object text, Object other, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.equalIgnoringCase(text, other, probe);
        }
    }

    /** {@code String.startsWith}. */
    public static void startsWith(Object text, Object prefix, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.startsWith(text, prefix, 0, probe);
        }
    }

    /** {@code String.startsWith} at an offset. */
    public static void startsWith(Object text, Object prefix, int offset, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.startsWith(text, prefix, offset, probe);
        }
    }

    /** {@code String.endsWith}. */
    public static void endsWith(Object text, Object suffix, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.endsWith(text, suffix, probe);
        }
    }

    /** {@code String.contains}. */
    public static void containsText(Object text, Object part, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.containsText(text, part, probe);
        }
    }

    /** {@code String.indexOf} or {@code lastIndexOf} of a text. */
    public static void findText(Object text, Object part, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.findText(text, part, 0, probe);
        }
    }

    /** {@code String.indexOf} of a text from an index on. */
    public static void findText(Object text, Object part, int from, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.findText(text, part, from, probe);
        }
    }

    /** {@code String.indexOf} or {@code lastIndexOf} of a character. */
    public static void findCharacter(Object text, int character, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.findCharacter(text, character, 0, probe);
        }
    }

    /** {@code String.indexOf} of a character from an index on. */
    public static void findCharacter(Object text, int character, int from, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.findCharacter(text, character, from, probe);
        }
    }

    /** {@code String.matches}. */
    public static void matches(Object text, Object pattern, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.matches(text, pattern, probe);
        }
    }

    /** {@code String.regionMatches}. */
    public static void regionMatches(Object text, int at, Object other, int from, int length, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.regionMatches(text, false, at, other, from, length, probe);
        }
    }

    /** {@code String.regionMatches} that may ignore case. */
    public static void regionMatches(
            Object text, boolean ignoringCase, int at, Object other, int from, int length, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.regionMatches(text, ignoringCase, at, other, from, length, probe);
        }
    }

    /** {@code containsKey} of what may be a map. */
    public static void containsKey(Object map, Object key, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.lookUp(map, key, true, Record.FLAG, probe);
        }
    }

    /** {@code get} of what may be a map. */
    public static void get(Object map, Object key, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.lookUp(map, key, true, Record.REFERENCE, probe);
        }
    }

    /** {@code contains} of what may be a collection. */
    public static void contains(Object collection, Object element, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.lookUp(collection, element, false, Record.FLAG, probe);
        }
    }

    /** {@code indexOf} of what may be a list. */
    public static void indexOf(Object list, Object element, int probe) {
        if (Thread.currentThread() == owner) {
            Calls.lookUp(list, element, false, Record.INDEX, probe);
        }
    }

    /** Two objects, which may be texts, are compared anywhere in the project. */
    public static void word(Object left, Object right) {
        if (Words.isOpen && Thread.currentThread() == owner) {
            Words.compared(left, right);
        }
    }

    /** Something is looked up in what may be a map or a collection, anywhere in the project. */
    public static void wordIn(Object container, Object key) {
        if (Thread.currentThread() == owner) {
            Missed.lookedUp(container, key);
            if (Words.isOpen) {
                Words.lookedUp(container, key);
            }
        }
    }

    // Instructions and calls that throw if an operand is out of bounds.

    /** An element of an array, text or list is used. */
    public static void index(Object indexed, int index, int probe) {
        if (Thread.currentThread() == owner) {
            Bounds.index(indexed, index, probe);
        }
    }

    /** {@code substring} to the end. */
    public static void range(Object indexed, int start, int probe) {
        if (Thread.currentThread() == owner) {
            Bounds.range(indexed, start, probe);
        }
    }

    /** {@code substring} and the like. */
    public static void range(Object indexed, int start, int end, int probe) {
        if (Thread.currentThread() == owner) {
            Bounds.range(indexed, start, end, probe);
        }
    }

    /** An int is divided. */
    public static void divisor(int divisor, int probe) {
        if (Thread.currentThread() == owner) {
            Bounds.divisor(divisor, probe);
        }
    }

    /** A long is divided. */
    public static void divisor(long divisor, int probe) {
        if (Thread.currentThread() == owner) {
            Bounds.divisor(divisor, probe);
        }
    }

    /** An array is made. */
    public static void length(int length, int probe) {
        if (Thread.currentThread() == owner) {
            Bounds.length(length, probe);
        }
    }

    // Accesses by index. The numbers of their bounds follow that of the probe.

    /** An element of an array, text or list is used. */
    public static void element(Object indexed, int index, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.element(indexed, index, probe);
        }
    }

    /** A place between elements is used. */
    public static void gap(Object indexed, int index, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.gap(indexed, index, probe);
        }
    }

    /** The element before an index is used. */
    public static void before(Object indexed, int index, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.before(indexed, index, probe);
        }
    }

    /** A part is used. */
    public static void part(Object indexed, int start, int end, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.part(indexed, start, end, probe);
        }
    }

    /** A part is cut out that may end behind the text. */
    public static void cut(Object indexed, int start, int end, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.cut(indexed, start, end, probe);
        }
    }

    /** A run of elements is used. */
    public static void run(Object indexed, int first, int count, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.run(indexed, first, count, probe);
        }
    }

    /** A part is copied into an array. */
    public static void into(Object indexed, int start, int end, Object target, int at, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.into(indexed, start, end, target, at, probe);
        }
    }

    /** {@code System.arraycopy}. */
    public static void copy(Object source, int from, Object target, int to, int count, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.copy(source, from, target, to, count, probe);
        }
    }

    /** {@code Objects.checkIndex}. */
    public static void checked(int index, int length, int probe) {
        if (Thread.currentThread() == owner) {
            Accesses.tell(index, length, probe);
        }
    }

    // Variables that jumps compare.

    /** An int with 0. */
    public static void variable(int value, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.integers(value, 0, probe);
        }
    }

    /** Two ints. */
    public static void variable(int left, int right, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.integers(left, right, probe);
        }
    }

    /** Two longs. */
    public static void variable(long left, long right, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.integers(left, right, probe);
        }
    }

    /** Two floats. */
    public static void variable(float left, float right, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.floats(left, right, probe);
        }
    }

    /** Two doubles. */
    public static void variable(double left, double right, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.floats(left, right, probe);
        }
    }

    /** A reference with null. */
    public static void variable(Object value, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.references(value, null, probe);
        }
    }

    /** Two references. */
    public static void variable(Object left, Object right, int probe) {
        if (Thread.currentThread() == owner) {
            Variables.references(left, right, probe);
        }
    }

    // State, whatever the thread.

    /** The initialiser of a class begins. */
    public static void initialiser(int classNumber) {
        State.initialiser(classNumber);
        if (Thread.currentThread() == runner && over == 0 && initialisers++ == 0) {
            remainingBefore = remaining;
            remaining = Math.max(remaining, INITIALISERS_BUDGET);
        }
    }

    /** The initialiser of a class is about to return. */
    public static void initialised(int classNumber) {
        State.initialised(classNumber);
        if (Thread.currentThread() == runner && over == 0 && initialisers > 0 && --initialisers == 0) {
            remaining = remainingBefore;
        }
    }

    /** A class whose state may be reset is used. */
    public static void touch(int classNumber) {
        State.touch(classNumber);
    }
}
