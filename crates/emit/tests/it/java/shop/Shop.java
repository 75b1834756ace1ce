package shop;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Something of everything that sources have to deal with. */
public class Shop {
    public static final String NAME = "shop";
    public static final Comparator<String> BY_LENGTH = null;
    public static int visits;
    public int stock;
    public String label;
    int[] numbers;

    public Shop() {}
    public Shop(String owner, int size) {}

    public static Shop open(String owner) { return new Shop(owner, 1); }
    public static void load(String file) throws IOException {}
    public static void transfer(String file) throws IOException, InterruptedException {}
    public static void take(byte b, short s, char c, long l, float f, double d) {}
    public static String join(String separator, Object... parts) { return separator; }
    public static int sum(int... numbers) { return numbers.length; }
    public static void put(Object value) {}
    public static void put(String value) {}
    public static void put(Integer value) {}
    public static void put(CharSequence[] value) {}
    public static void all(Object[] values) {}
    public static void table(int[][] table) {}
    public static void types(Class<? extends Number> type) {}
    public static void anyType(Class<?> type) {}
    public static <T> T pick(Class<T> type, T value) { return value; }
    public static <T extends Object & Comparable<? super T>> T max(T one, T two) { return one; }
    public static <T extends Comparable<T>> T larger(T one, T two) { return one; }

    public List<String> getNames() { return null; }
    public void setNames(List<String> names) {}
    public Map<String, List<Integer>> getPrices() { return null; }
    public void sort(Comparator<String> order) {}
    public void read(List<CharSequence> texts) {}
    public static void kinds(Class<?>[] types) {}
    public void drain(Source<Customer> source) {}
    public void rename(String newName) { label.length(); }
    public Shop branch() { return this; }
    public void serve(Customer customer, Size size) {}
    public Hidden hidden() { return new Hidden(); }
    public void use(Face face) {}
    public void fail() { rename(null); }

    public enum Size { SMALL, LARGE }
    public interface Face { void smile(); }
    public interface Source<T> { T next(); }
    public interface Sink<T> {
        void add(T value, List<T> before);
        List<T> all();
    }
    public void fill(Sink<Customer> sink) {}
    static class Hidden implements Face {
        @Override public void smile() {}
    }
    public class Shelf {
        public Shelf(int boards) {}
        public class Box {}
    }
    public static class Customer {
        public Customer() {}
        public Customer(String name) {}
    }
    public static class ByLength implements Comparator<Integer> {
        @Override public int compare(Integer one, Integer two) { return 0; }
    }
    public static class Base<T> {
        public T value;
        public void set(T value) {}
        public T get() { return null; }
    }
    public static class Texts extends Base<String> {
        @Override public void set(String value) {}
    }
    public static class Plain extends Base<String> {}
}
