package bank;

import javax.inject.Inject;
import javax.inject.Provider;

/** A component that asks for others only when it needs them. */
public class Counter {
    @Inject private Provider<Book> books;
    @Inject private Provider<Vault> vaults;
    @Inject private Provider<Guard> guards;
    @Inject private Provider<Scale> scales;
    @Inject private Provider<Clerk> clerks;

    public String serve(String name) {
        books.get().enter(name);
        guards.get().greet(name);
        if (!vaults.get().isOpen()) {
            return "later";
        }
        int weight = scales.get().weigh(name);
        clerks.get().call(name);
        return surname(name) + weight;
    }

    /** The bug: not everyone gives a first name. */
    private static String surname(String name) {
        return name.substring(0, name.indexOf(','));
    }
}
