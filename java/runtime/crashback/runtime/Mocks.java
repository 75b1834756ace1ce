package crashback.runtime;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Period;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What the methods of mocks call. A mock keeps its answers itself, in an array with a place for
 * each of its methods and one more for what it is to keep, or none as long as there is neither.
 * What is answered without having been told is what Mockito's {@code RETURNS_DEFAULTS} would
 * answer.
 *
 * <p>Every call of a mock counts as a method entry: where a loop of the JDK calls nothing but
 * mocks, nobody else notices that it has no end.
 */
public final class Mocks {
    /** An answer that is null. */
    private static final Object NULL = new Object();

    /** What the names of all classes of mocks contain. */
    private static final String MARK = "$MockitoMock$";

    /** Stands for the probe where exceptions are given to mocks. */
    private static final int GIVEN = Integer.MAX_VALUE;

    /** Characters kept of the name of a class. */
    private static final int LONGEST_NAME = 1024;

    /** Calls kept that nobody has said anything about. */
    private static final int MOST_ASKED = 64;

    private static final int[] askedMocks = new int[MOST_ASKED];
    private static final int[] askedMethods = new int[MOST_ASKED];
    /** The classes that they asked for, where they did. */
    private static final Class<?>[] askedClasses = new Class<?>[MOST_ASKED];
    /** The classes of objects of the program that they were given, where they were. */
    private static final Class<?>[] askedObjects = new Class<?>[MOST_ASKED];
    /** The places of the parameters that those stood for. */
    private static final int[] askedParameters = new int[MOST_ASKED];
    /** How many of them there are. */
    static int asked;

    /** The class among the arguments of the call that is about to be answered. */
    private static Class<?> lookedUp;

    /** The class of an object of the program among these arguments, and its place. */
    private static Class<?> handedOver;
    private static int handedAt;

    private Mocks() {}

    static void begin() {
        Arrays.fill(askedClasses, 0, asked, null);
        Arrays.fill(askedObjects, 0, asked, null);
        asked = 0;
        lookedUp = null;
        handedOver = null;
    }

    static void encodeAsked() {
        Encoding.unsigned(asked);
        for (int i = 0; i < asked; i++) {
            Encoding.unsigned(askedMocks[i]);
            Encoding.unsigned(askedMethods[i]);
            Encoding.optional(askedClasses[i] == null ? null : askedClasses[i].getName(), LONGEST_NAME);
            if (askedObjects[i] == null) {
                Encoding.one(0);
            } else {
                Encoding.one(1);
                Encoding.one(askedParameters[i]);
                Encoding.text(named(askedObjects[i]).getName(), LONGEST_NAME);
            }
        }
    }

    /** A class, or the interface of a lambda: its own class is nowhere to be found. */
    private static Class<?> named(Class<?> kind) {
        Class<?>[] interfaces = kind.getInterfaces();
        return kind.isSynthetic() && interfaces.length != 0 ? interfaces[0] : kind;
    }

    // For the worker.

    /** From now on a method gives back a value, or throws it. */
    public static void tell(Object[] answers, int method, Object value, boolean isThrown) {
        if (isThrown) {
            answers[method] = new Throwing((Throwable) value);
        } else {
            answers[method] = value == null ? NULL : value;
        }
    }

    /** From now on a method gives back a value, and another from its second call on. */
    public static void tellSequence(Object[] answers, int method, Object first, Object then) {
        answers[method] = new Sequence(first, then);
    }

    /** From now on a method gives back what a method of one of its arguments does. */
    public static void tellCallback(
            Object[] answers, int method, int parameter, Method called, Object[] arguments) {
        answers[method] = new Calling(parameter, called, arguments);
    }

    /** Takes away what a method was told, to be given to {@link #limit} once it was told something else. */
    public static Object forget(Object[] answers, int method) {
        Object told = answers[method];
        answers[method] = null;
        return told;
    }

    /**
     * What a method was told last holds only for calls that ask for a class, and what it was told
     * before for all others.
     */
    public static void limit(Object[] answers, int method, int parameter, Object wanted, Object before) {
        answers[method] = new Choosing(parameter, wanted, answers[method], before);
    }

    /** From now on what a method is given is kept. */
    public static void keep(Object[] answers, int method, int parameter) {
        int last = answers.length - 1;
        answers[last] = new Keeping(method, parameter, (Keeping) answers[last]);
    }

    /** What a method was given last; null if it was not called. */
    public static Object kept(Object[] answers, int method, int parameter) {
        for (Keeping it = (Keeping) answers[answers.length - 1]; it != null; it = it.next) {
            if (it.method == method && it.parameter == parameter) {
                return it.argument;
            }
        }
        return null;
    }

    /** Gives a mock the state of an object of its class. */
    public static void takeOver(Object from, Object mock) throws IllegalAccessException {
        for (Class<?> kind = from.getClass(); kind != Object.class; kind = kind.getSuperclass()) {
            for (Field field : kind.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    field.set(mock, field.get(from));
                }
            }
        }
    }

    // For the methods of mocks.

    /**
     * Whether a test has said what a method answers. If not, the real method is about to run, and
     * that is noted.
     *
     * @param answers those of the mock
     * @param mock number of the mock, negative if nothing is noted
     * @param method place of the method
     */
    public static boolean isTold(Object[] answers, int mock, int method) {
        if (answers != null && answers[method] != null) {
            return true;
        }
        if (mock >= 0 && Probes.isObserved()) {
            asked(mock, method, null, null);
        }
        Probes.budget();
        return false;
    }

    /**
     * What a method answers, primitive values boxed.
     *
     * @param answers those of the mock
     * @param mock number of the mock
     * @param method place of the method
     * @param result descriptor of its result
     */
    public static Object answer(Object[] answers, int mock, int method, String result) {
        Probes.budget();
        Object answer = answers == null ? null : answers[method];
        while (answer instanceof Choosing) {
            answer = ((Choosing) answer).chosen();
        }
        Class<?> wanted = lookedUp;
        lookedUp = null;
        Class<?> handed = handedOver;
        handedOver = null;
        if (answer == null) {
            if (Probes.isObserved()) {
                asked(mock, method, wanted, handed);
            }
            return empty(result);
        }
        if (answer instanceof Sequence) {
            return ((Sequence) answer).next();
        }
        if (answer instanceof Throwing) {
            throw Mocks.<RuntimeException>unchecked(arising(((Throwing) answer).thrown));
        }
        if (answer instanceof Calling) {
            return ((Calling) answer).call();
        }
        return answer == NULL ? null : answer;
    }

    /**
     * A mock is given something. If it was told to call or keep it, or that its answer hangs on it,
     * that is remembered. If it was told nothing, exceptions are told: what the program catches and
     * hands on, as to a logger or a listener, is to be seen nowhere else.
     *
     * @param answers those of the mock
     * @param method place of the method
     * @param parameter place of the parameter
     * @param argument what may be an exception, have exceptions among its elements, or be there to
     * be called
     */
    public static void given(Object[] answers, int method, int parameter, Object argument) {
        Object answer = answers == null ? null : answers[method];
        if (answers != null) {
            look(answers, method, parameter, argument);
        }
        if (!Probes.isObserved()) {
            return;
        }
        if (argument instanceof Class) {
            lookedUp = (Class<?>) argument;
        }
        if (answer != null) {
            return;
        }
        if (argument != null && isOfProgram(argument.getClass())) {
            handedOver = argument.getClass();
            handedAt = parameter;
        }
        if (argument instanceof Object[]) {
            for (Object element : (Object[]) argument) {
                Probes.caught(element, GIVEN);
            }
        } else {
            Probes.caught(argument, GIVEN);
        }
    }

    private static boolean isOfProgram(Class<?> kind) {
        return kind.getClassLoader() instanceof ProgramLoader && !kind.getName().contains(MARK);
    }

    private static void look(Object[] answers, int method, int parameter, Object argument) {
        for (Keeping it = (Keeping) answers[answers.length - 1]; it != null; it = it.next) {
            if (it.method == method && it.parameter == parameter) {
                it.argument = argument;
            }
        }
        Object answer = answers[method];
        for (; answer instanceof Choosing; answer = ((Choosing) answer).otherwise) {
            Choosing choice = (Choosing) answer;
            if (choice.parameter == parameter) {
                choice.isWanted = choice.wanted == argument;
            }
            look(choice.answer, parameter, argument);
        }
        look(answer, parameter, argument);
    }

    private static void look(Object answer, int parameter, Object argument) {
        if (answer instanceof Calling && ((Calling) answer).parameter == parameter) {
            ((Calling) answer).target = argument;
        }
    }

    /** Mocks are equal to themselves only. */
    public static boolean equals(Object mock, Object other) {
        return mock == other;
    }

    /** All mocks have the hash that every object has without its type. */
    public static int hashCode(Object mock) {
        return System.identityHashCode(mock);
    }

    /** What a mock calls itself. */
    public static String toString(Object mock) {
        Class<?> kind = mock.getClass();
        Class<?> of = kind.getSuperclass() == Object.class ? kind.getInterfaces()[0] : kind.getSuperclass();
        return "Mock for " + of.getSimpleName() + ", hashCode: " + System.identityHashCode(mock);
    }

    private static void asked(int mock, int method, Class<?> wanted, Class<?> handed) {
        int count = asked;
        for (int i = 0; i < count; i++) {
            if (askedMocks[i] == mock
                    && askedMethods[i] == method
                    && askedClasses[i] == wanted
                    && askedObjects[i] == handed) {
                return;
            }
        }
        if (count < MOST_ASKED) {
            askedMocks[count] = mock;
            askedMethods[count] = method;
            askedClasses[count] = wanted;
            askedObjects[count] = handed;
            askedParameters[count] = handedAt;
            asked = count + 1;
        }
    }

    /** A throwable as if it came about where the mock is called. */
    private static Throwable arising(Throwable thrown) {
        Throwable filled = thrown.fillInStackTrace();
        Throwable arising = filled == null ? thrown : filled;
        StackTraceElement[] trace = arising.getStackTrace();
        int own = 0;
        while (trace != null && own < trace.length && isOwn(trace[own])) {
            own++;
        }
        if (own > 0) {
            arising.setStackTrace(Arrays.copyOfRange(trace, own, trace.length));
        }
        return arising;
    }

    private static boolean isOwn(StackTraceElement frame) {
        String name = frame == null ? "" : frame.getClassName();
        return name.contains(MARK) || name.equals(Mocks.class.getName());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static Object empty(String result) {
        switch (result) {
            case "Z":
            case "Ljava/lang/Boolean;":
                return false;
            case "B":
            case "Ljava/lang/Byte;":
                return (byte) 0;
            case "S":
            case "Ljava/lang/Short;":
                return (short) 0;
            case "C":
            case "Ljava/lang/Character;":
                return (char) 0;
            case "I":
            case "Ljava/lang/Integer;":
                return 0;
            case "J":
            case "Ljava/lang/Long;":
                return 0L;
            case "F":
            case "Ljava/lang/Float;":
                return 0F;
            case "D":
            case "Ljava/lang/Double;":
                return 0D;
            default:
                return result.startsWith("Ljava/util/") ? emptyOfUtil(result) : emptyOfTime(result);
        }
    }

    private static Object emptyOfUtil(String result) {
        switch (result) {
            case "Ljava/util/Collection;":
            case "Ljava/util/LinkedList;":
                return new LinkedList<Object>();
            case "Ljava/util/List;":
            case "Ljava/util/ArrayList;":
                return new ArrayList<Object>();
            case "Ljava/util/Set;":
            case "Ljava/util/HashSet;":
                return new HashSet<Object>();
            case "Ljava/util/LinkedHashSet;":
                return new LinkedHashSet<Object>();
            case "Ljava/util/SortedSet;":
            case "Ljava/util/TreeSet;":
                return new TreeSet<Object>();
            case "Ljava/util/Map;":
            case "Ljava/util/HashMap;":
                return new HashMap<Object, Object>();
            case "Ljava/util/LinkedHashMap;":
                return new LinkedHashMap<Object, Object>();
            case "Ljava/util/SortedMap;":
            case "Ljava/util/TreeMap;":
                return new TreeMap<Object, Object>();
            default:
                return emptyOfFunctions(result);
        }
    }

    private static Object emptyOfFunctions(String result) {
        switch (result) {
            case "Ljava/util/Optional;":
                return Optional.empty();
            case "Ljava/util/OptionalInt;":
                return OptionalInt.empty();
            case "Ljava/util/OptionalLong;":
                return OptionalLong.empty();
            case "Ljava/util/OptionalDouble;":
                return OptionalDouble.empty();
            case "Ljava/util/stream/Stream;":
                return Stream.empty();
            case "Ljava/util/stream/IntStream;":
                return IntStream.empty();
            case "Ljava/util/stream/LongStream;":
                return LongStream.empty();
            case "Ljava/util/stream/DoubleStream;":
                return DoubleStream.empty();
            default:
                return null;
        }
    }

    private static Object emptyOfTime(String result) {
        switch (result) {
            case "Ljava/lang/Iterable;":
                return new ArrayList<Object>();
            case "Ljava/time/Duration;":
                return Duration.ZERO;
            case "Ljava/time/Period;":
                return Period.ZERO;
            default:
                return null;
        }
    }

    /** An answer that is thrown. */
    private static final class Throwing {
        final Throwable thrown;

        Throwing(Throwable thrown) {
            this.thrown = thrown;
        }
    }

    /** An answer to the first call, and one to those that follow. */
    private static final class Sequence {
        private Object next;
        private final Object then;

        Sequence(Object first, Object then) {
            this.next = first;
            this.then = then;
        }

        Object next() {
            Object next = this.next;
            this.next = then;
            return next;
        }
    }

    /** An answer to calls that ask for a class, and one to all others. */
    private static final class Choosing {
        final int parameter;
        final Object wanted;
        final Object answer;
        final Object otherwise;
        /** Whether the call that is about to be answered asks for the class. */
        boolean isWanted;

        Choosing(int parameter, Object wanted, Object answer, Object otherwise) {
            this.parameter = parameter;
            this.wanted = wanted;
            this.answer = answer;
            this.otherwise = otherwise;
        }

        Object chosen() {
            return isWanted ? answer : otherwise;
        }
    }

    /** An argument that is kept, in a list of such. */
    private static final class Keeping {
        final int method;
        final int parameter;
        final Keeping next;
        Object argument;

        Keeping(int method, int parameter, Keeping next) {
            this.method = method;
            this.parameter = parameter;
            this.next = next;
        }
    }

    /** An answer that calls what the mock is given. */
    private static final class Calling {
        final int parameter;
        private final Method called;
        private final Object[] arguments;
        /** What the mock was given last. */
        Object target;

        Calling(int parameter, Method called, Object[] arguments) {
            this.parameter = parameter;
            this.called = called;
            this.arguments = arguments;
        }

        Object call() {
            Object target = this.target;
            this.target = null;
            // Another object than the one that was seen before.
            Class<?> owner = called.getDeclaringClass();
            if (target != null && !owner.isInstance(target)) {
                throw new ClassCastException(target.getClass() + " cannot be cast to " + owner);
            }
            try {
                called.setAccessible(true);
                return called.invoke(target, arguments);
            } catch (InvocationTargetException thrown) {
                throw Mocks.<RuntimeException>unchecked(thrown.getCause());
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
