package subject;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.AbstractList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Types that are mocked, and code that asks their objects. What it hears is in the message of what it throws. */
public class Mocking {
    public interface Service {
        int count();

        String name();

        Service next();

        void run();

        int sum(int a, long b, double c, String d, byte[] e);

        default int twice() {
            return 2 * count();
        }
    }

    public static void service(Service service) {
        service.run();
        say(service.count(), service.name(), service.next(), service.twice(), service.sum(1, 2, 3, "", null));
    }

    public interface Wide {
        CharSequence words();
    }

    public interface Narrow extends Wide {
        @Override
        String words();
    }

    public static void words(Wide wide) {
        say(wide.words(), ((Narrow) wide).words());
    }

    public static void twoServices(Service one, Service other) {
        say(one.count(), other.count(), one.count());
    }

    public interface Listener {
        int failed(String what, Exception failure);

        void log(String format, Object... arguments);
    }

    /** Tells a listener of everything that fails, and goes on. */
    public static void report(Listener listener) {
        try {
            throw new UnsupportedOperationException("told");
        } catch (UnsupportedOperationException failure) {
            listener.failed("first", failure);
        }
        listener.failed("nothing", null);
        listener.log("%s %s", "second", new IllegalArgumentException(new ArithmeticException()));
    }

    interface Work {
        String in(Service service, int number, boolean flag);
    }

    public interface Runner {
        String run(String name, Work work);

        void later(Runnable task);
    }

    /** Has work done by somebody else, who may do it. */
    public static void runner(Runner runner) {
        StringBuilder log = new StringBuilder();
        runner.later(() -> log.append("ran"));
        String done = runner.run("name", (service, number, flag) -> service.count() + " " + number + " " + flag);
        say(log, done);
    }

    public static void failing(Runner runner) {
        runner.later(() -> Integer.parseInt("x"));
        say("over");
    }

    public interface Primitives {
        boolean z();

        byte b();

        short s();

        char c();

        int i();

        long j();

        float f();

        double d();
    }

    public static void primitives(Primitives it) {
        say(it.z(), it.b(), it.s(), (int) it.c(), it.i(), it.j(), it.f(), it.d());
    }

    public interface Empty {
        List<String> list();

        Map<String, String> map();

        Iterable<String> iterable();

        Optional<String> optional();

        Stream<String> stream();

        Integer boxed();

        Character character();

        String[] array();

        java.time.Duration duration();
    }

    public static void empty(Empty it) {
        say(it.list(), it.map(), it.iterable(), it.optional(), it.stream().count(), it.boxed());
    }

    public static void emptyToo(Empty it) {
        say((int) it.character(), it.array(), it.duration());
    }

    /** Cannot be constructed, nor be asked anything that looks at what a constructor would have set. */
    public abstract static class Closed {
        static int constructed;

        private final List<String> parts = Collections.singletonList("part");

        private Closed() {
            constructed++;
            throw new IllegalArgumentException("constructed");
        }

        abstract String name();

        int size() {
            return parts.size();
        }

        protected int depth() {
            return parts.size();
        }

        @Override
        public int hashCode() {
            return parts.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Closed && parts.equals(((Closed) other).parts);
        }

        @Override
        public String toString() {
            return parts.toString();
        }
    }

    public static void closed(Closed it) {
        say(it.name(), it.size(), it.depth(), Closed.constructed);
    }

    public static void identity(Object it, Object other) {
        say(it, it.equals(it), it.equals(other), it.hashCode() == System.identityHashCode(it));
    }

    /** What a mock cannot replace. */
    public static class Strict {
        public int count() {
            return 1;
        }

        @Override
        public final boolean equals(Object other) {
            return true;
        }

        @Override
        public final int hashCode() {
            return 5;
        }
    }

    public static void strict(Strict it) {
        say(it.count(), it.equals(null), it.hashCode());
    }

    public interface Source<T> {
        T get();
    }

    public static class TextSource implements Source<String> {
        @Override
        public String get() {
            return "real";
        }
    }

    public static void source(Source<?> source) {
        say(source.get());
    }

    /** Cannot be named outside of its package. */
    interface Hidden {
        int count();
    }

    public static void hidden(Object hidden) {
        say(((Hidden) hidden).count());
    }

    public abstract static class Partial implements Service {
        private int calls;

        @Override
        public int count() {
            calls++;
            return inner(20, 1L, 1.0, "x", null) + open() + calls;
        }

        int inner(int a, long b, double c, String d, byte[] e) {
            return a + (int) b + (int) c + d.length();
        }

        abstract int open();
    }

    public static void partial(Partial it) {
        say(it.count(), it.count(), it.twice());
    }

    public static void asks(Service service) {
        service.run();
    }

    public static void catches(Service service) {
        try {
            service.run();
        } catch (RuntimeException e) {
            say(e.getMessage(), e.getStackTrace()[0].getMethodName());
        }
    }

    public static void list(List<?> list) {
        say(list.size(), list.get(3), list.isEmpty());
    }

    public static void abstractList(AbstractList<?> list) {
        say(list, list.isEmpty());
    }

    public static void connection(Connection connection) throws SQLException {
        say(connection.createStatement(), connection.getTransactionIsolation(), connection.isClosed());
    }

    public static void drain(Iterator<?> iterator) {
        while (iterator.hasNext()) {
            iterator.next();
        }
    }

    /** The loop is the JDK's. */
    public static void collect(Enumeration<?> enumeration) {
        Collections.list(enumeration);
    }

    public interface Registry {
        <T> T find(Class<T> type);
    }

    public static void threeTimes(Service service) {
        say(service.count(), service.name(), service.count(), service.name(), service.count());
    }

    public static void lookUp(Registry registry) {
        say(registry.find(Integer.class), registry.find(Service.class), registry.find(String.class));
    }

    public static void registers(Runner runner) {
        runner.later(() -> say("too early"));
        runner.later(() -> say("kept"));
    }

    public static String nothing(Object given) {
        return null;
    }

    public static class Component {
        private Service service;

        private int size;

        void tell() {
            say(service, size);
        }
    }

    public static class Below extends Component {}

    public static class Till {
        private final int sum;

        public Till(int sum) {
            this.sum = sum;
        }

        void open() {
            throw new IllegalStateException("locked");
        }

        void tell() {
            open();
            say(sum);
        }
    }

    public static void till(Till till) {
        till.tell();
    }

    public static void component(Component component) {
        component.tell();
    }

    public static void reached() {
        say();
    }

    private static void say(Object... heard) {
        StringBuilder all = new StringBuilder();
        for (Object each : heard) {
            all.append(all.length() == 0 ? "" : " ").append(each);
        }
        throw new IllegalStateException(all.toString());
    }
}
