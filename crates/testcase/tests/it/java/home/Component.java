package home;

import java.util.List;
import javax.inject.Inject;

/** What a container puts together. */
public class Component extends ComponentBase {
    @Inject private Store store;
    @Inject private Provider<Component.Session> session;
    private Store other;

    public int run(Store store, String key) {
        return this.store.sizes(key).size() + store.count(key);
    }

    public interface Store {
        int count(String key);

        boolean has(String key);

        List<Session> sizes(String key);

        <T> T find(Class<T> type, String key);

        void later(Runnable task);

        default String name() {
            return "store";
        }

        static Store none() {
            return null;
        }
    }

    public interface Provider<T> {
        T get();
    }

    public abstract static class Session {
        protected abstract Store open();

        public final void close() {}

        String key() {
            return "";
        }

        private void hidden() {}
    }

    public static final class Sealed {}
}

abstract class ComponentBase {
    @Inject protected Component.Store parent;
    @Inject static Component.Store shared;
}
