import crashback.runtime.Probes;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Vector;

/** Bounds that probes tell of, against what methods of the JDK throw. */
final class IndexBounds {
    private static final int PROBE = 5000;
    /** Java 8 does not look where nothing is to be copied to. */
    private static final boolean CHECKS_EMPTY = checksEmpty();

    private final Random random = new Random(7);
    private final Field[] lists = new Field[3];
    private int thrown;
    private int passed;
    private String difference;

    private IndexBounds() throws Exception {
        String[] names = {"count", "indexes", "lengths"};
        for (int i = 0; i < names.length; i++) {
            lists[i] = Class.forName("crashback.runtime.Accesses").getDeclaredField(names[i]);
            lists[i].setAccessible(true);
        }
    }

    @SuppressWarnings("deprecation")
    private static boolean checksEmpty() {
        try {
            "".getBytes(0, 0, new byte[0], 1);
            return false;
        } catch (IndexOutOfBoundsException e) {
            return true;
        }
    }

    static String check() throws Exception {
        IndexBounds bounds = new IndexBounds();
        for (int round = 0; round < 400 && bounds.difference == null; round++) {
            bounds.texts();
            bounds.builders();
            bounds.arrays();
            bounds.lists();
        }
        Probes.abandon();
        if (bounds.difference != null) {
            return bounds.difference;
        }
        return bounds.thrown > 1000 && bounds.passed > 1000 ? "agreed" : bounds.thrown + " of " + bounds.passed;
    }

    private int number() {
        return random.nextInt(50) == 0 ? random.nextInt() : random.nextInt(10) - 2;
    }

    private String text() {
        return "abcdef".substring(random.nextInt(7));
    }

    @SuppressWarnings("deprecation")
    private void texts() throws Exception {
        String text = text();
        int i = number();
        int k = number();
        int at = number();
        char[] chars = new char[random.nextInt(6)];
        byte[] bytes = new byte[random.nextInt(6)];
        agree("charAt", () -> Probes.element(text, i, PROBE), () -> text.charAt(i));
        agree("codePointAt", () -> Probes.element(text, i, PROBE), () -> text.codePointAt(i));
        agree("codePointBefore", () -> Probes.before(text, i, PROBE), () -> text.codePointBefore(i));
        agree("codePointCount", () -> Probes.part(text, i, k, PROBE), () -> text.codePointCount(i, k));
        agree("offsetByCodePoints", () -> Probes.gap(text, i, PROBE), () -> text.offsetByCodePoints(i, 0));
        agree("substring from", () -> Probes.gap(text, i, PROBE), () -> text.substring(i));
        agree("substring", () -> Probes.part(text, i, k, PROBE), () -> text.substring(i, k));
        agree("subSequence", () -> Probes.part(text, i, k, PROBE), () -> text.subSequence(i, k));
        agree("getChars", () -> Probes.into(text, i, k, chars, at, PROBE), () -> text.getChars(i, k, chars, at));
        if (i != k || CHECKS_EMPTY) {
            agree("getBytes", () -> Probes.into(text, i, k, bytes, at, PROBE), () -> text.getBytes(i, k, bytes, at));
        }
    }

    private void builders() throws Exception {
        StringBuilder builder = new StringBuilder(text());
        StringBuffer buffer = new StringBuffer(text());
        String text = text();
        int i = number();
        int k = number();
        char[] chars = text().toCharArray();
        agree("append", () -> Probes.run(chars, i, k, PROBE), () -> new StringBuilder().append(chars, i, k));
        agree("append text", () -> Probes.part(text, i, k, PROBE), () -> new StringBuffer().append(text, i, k));
        agree("setCharAt", () -> Probes.element(builder, i, PROBE), () -> builder.setCharAt(i, 'x'));
        agree("insert", () -> Probes.gap(builder, i, PROBE), () -> new StringBuilder(builder).insert(i, 2.5));
        agree("replace", () -> Probes.cut(buffer, i, k, PROBE), () -> new StringBuffer(buffer).replace(i, k, "r"));
        agree("delete", () -> Probes.cut(builder, i, k, PROBE), () -> new StringBuilder(builder).delete(i, k));
        agree("deleteCharAt", () -> Probes.element(buffer, i, PROBE), () -> buffer.deleteCharAt(i));
    }

    private void arrays() throws Exception {
        int[] from = new int[random.nextInt(6)];
        int[] to = new int[random.nextInt(6)];
        char[] chars = text().toCharArray();
        int i = number();
        int k = number();
        int n = number();
        agree("element", () -> Probes.element(from, i, PROBE), () -> from[i]++);
        agree("arraycopy", () -> Probes.copy(from, i, to, k, n, PROBE), () -> System.arraycopy(from, i, to, k, n));
        agree("new String", () -> Probes.run(chars, i, n, PROBE), () -> new String(chars, i, n));
        agree("valueOf", () -> Probes.run(chars, i, n, PROBE), () -> String.valueOf(chars, i, n));
    }

    private void lists() throws Exception {
        List<Integer> list = new ArrayList<>(Collections.nCopies(random.nextInt(6), 5));
        Vector<Integer> vector = new Vector<>(list);
        int i = number();
        int k = number();
        agree("get", () -> Probes.element(list, i, PROBE), () -> list.get(i));
        agree("set", () -> Probes.element(list, i, PROBE), () -> list.set(i, 6));
        agree("listIterator", () -> Probes.gap(list, i, PROBE), () -> list.listIterator(i));
        agree("subList", () -> Probes.part(list, i, k, PROBE), () -> list.subList(i, k));
        agree("add", () -> Probes.gap(list, i, PROBE), () -> new ArrayList<>(list).add(i, 7));
        agree("addAll", () -> Probes.gap(list, i, PROBE), () -> new ArrayList<>(list).addAll(i, Arrays.asList(8)));
        agree("remove", () -> Probes.element(list, i, PROBE), () -> list.remove(i));
        agree("elementAt", () -> Probes.element(vector, i, PROBE), () -> vector.elementAt(i));
        agree("removeElementAt", () -> Probes.element(vector, i, PROBE), () -> vector.removeElementAt(i));
    }

    private void agree(String name, Runnable probe, Runnable call) throws Exception {
        Probes.begin();
        probe.run();
        boolean told = false;
        int[] indexes = (int[]) lists[1].get(null);
        int[] lengths = (int[]) lists[2].get(null);
        for (int i = 0; i < lists[0].getInt(null); i++) {
            told |= indexes[i] < 0 || indexes[i] >= lengths[i];
        }
        boolean threw = false;
        try {
            call.run();
        } catch (IndexOutOfBoundsException | IllegalArgumentException | OutOfMemoryError e) {
            // A part of a list that ends before it begins is an illegal argument, and builders of Java 8 make room
            // for a part before they look at its end.
            threw = true;
        }
        thrown += threw ? 1 : 0;
        passed += threw ? 0 : 1;
        if (told != threw) {
            difference = name + ": told " + told + ", threw " + threw;
        }
    }
}
