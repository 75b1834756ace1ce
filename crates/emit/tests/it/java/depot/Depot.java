package depot;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import javax.inject.Inject;

/** Something of everything that mocks and injected fields have to deal with. */
public class Depot {
    private final Store store;

    public Depot(Store store) { this.store = store; }

    public int length(int key) { return store.name(key).length(); }
    public int count() { return store.names().size(); }
    public String describe() { return "" + store.kind() + store.total() + store.flag() + store.letter() + store.small(); }
    public String choose() { return "" + store.pick("a") + store.pick((Object) "b") + store.pick(1) + store.pick((Integer) 2); }
    public String join() { return store.join("-") + store.join("-", "a") + store.join("-", "a", "b"); }

    public String save() {
        try {
            store.save("x");
            return "saved";
        } catch (IOException e) {
            throw new IllegalStateException("not saved", e);
        }
    }

    public interface Store extends Supplier<String> {
        String name(int key);
        List<String> names();
        long total();
        boolean flag();
        char letter();
        byte small();
        Kind kind();
        Object pick(String key);
        Object pick(Object key);
        Object pick(int key);
        Object pick(Integer key);
        String join(String separator, Object... parts);
        int sum(int... parts);
        void save(String name) throws IOException;
        void close();
        int[] sizes();
        <T extends Comparable<T>> T largest(List<T> all, T other);
    }

    public interface Work<T> { T in(Store store, int number); }

    public interface Runner {
        <T> T run(String name, Work<T> work);
        void later(Runnable task);
        void failed(String name, Exception failure);
    }

    /** Runs work, and tells the runner of what fails. */
    public static int work(Runner runner) {
        runner.later(() -> { });
        try {
            return runner.run("work", (store, number) -> store.name(number).length());
        } catch (NullPointerException e) {
            runner.failed("work", new IllegalStateException(e));
            return 0;
        }
    }

    public interface Registry { <T> T find(Class<T> type, String name); }

    /** Asks until there is no more. */
    public int drain() {
        int count = 0;
        while (store.flag()) {
            count += store.name(count).length();
        }
        return count / (int) store.total();
    }

    public static int look(Registry registry) {
        Store store = registry.find(Store.class, "store");
        return store.name(1).length() + registry.find(Clerk.class, "clerk").calls;
    }

    public enum Kind { SMALL, LARGE }

    /** Found through a type argument of its supertype. */
    public abstract static class Ranked implements Comparable<Ranked> {
        public abstract int rank();
        @Override public int compareTo(Ranked other) { return rank() - other.rank(); }
    }

    public abstract static class Unranked implements Comparable<Unranked> {
        public int twice(Unranked other) { return 2 * compareTo(other); }
    }

    /** Its own methods call each other. */
    public static class Clerk {
        int calls;
        public String greet(String name) { return prefix().trim() + name(name); }
        protected String prefix() { return "Hello "; }
        String name(String name) { calls++; return name.toUpperCase(); }
    }

    /** Whoever asks needs a key. */
    public static class Till {
        private final int sum;
        public Till(int sum) { this.sum = sum; }
        public void open() { throw new IllegalStateException("locked"); }
        public void tell() { open(); throw new IllegalArgumentException("sum " + sum); }
    }

    static class Base {
        @Inject private Store store;
        @Inject private Store other;
        public String base() { return store.name(1); }
    }

    public static class Component extends Base {
        @Inject Store store;
        @Inject private int limit;
        @Inject private Clerk clerk;
        public Component() {}
        public static Component create() { return new Component(); }
        public int first() { return store.name(limit).length(); }
        public String second() { return base() + clerk.greet("b"); }
    }
}
