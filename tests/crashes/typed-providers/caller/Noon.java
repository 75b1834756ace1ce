package town;

import bank.Book;
import bank.Clerk;
import bank.Counter;
import bank.Guard;
import bank.Scale;
import bank.Vault;
import java.lang.reflect.Field;
import javax.inject.Provider;

public class Noon {
    public static void main(String[] arguments) throws Exception {
        Counter counter = new Counter();
        Book book = name -> {};
        Vault vault = () -> true;
        Guard guard = name -> {};
        Scale scale = name -> 0;
        Clerk clerk = name -> {};
        fill(counter, "books", book);
        fill(counter, "vaults", vault);
        fill(counter, "guards", guard);
        fill(counter, "scales", scale);
        fill(counter, "clerks", clerk);
        System.out.println(counter.serve("Ada"));
    }

    private static void fill(Counter counter, String name, Object value) throws Exception {
        Field field = Counter.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(counter, (Provider<Object>) () -> value);
    }
}
