package subject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Static state of many kinds. Every method throws what it found, after it has changed it. */
public final class Stateful {
    private Stateful() {}

    private static int counter;
    private static int started = 10;
    private static final List<String> LIST = new ArrayList<>();
    private static final Map<String, Integer> MAP = new HashMap<>();
    private static final int[] ARRAY = {1, 2, 3};
    private static String lazy;
    public static final String CONSTANT = "constant";

    static {
        MAP.put("first", 1);
    }

    public static void all(String text) {
        counter++;
        started++;
        LIST.add(text);
        MAP.merge(text, 1, Integer::sum);
        ARRAY[0]++;
        lazy = lazy == null ? text : lazy + text;
        throw new IllegalStateException(counter + " " + started + " " + LIST + " " + MAP.size() + " " + ARRAY[0] + " " + lazy);
    }

    public static void other() {
        Holder.value += 5;
        throw new IllegalStateException("" + Holder.value);
    }

    static class Holder {
        static int value = 1;
    }

    /** Through a class that only inherits the field. */
    public static void inherited() {
        Heir.count += 2;
        throw new IllegalStateException("" + Heir.count);
    }

    static class Testator {
        static int count = 5;
    }

    static final class Heir extends Testator {}

    public static void ofEnum() {
        Mode.RAW.uses++;
        Mode.last = Mode.RAW;
        throw new IllegalStateException(Mode.total++ + " " + Mode.valueOf("RAW").ordinal());
    }

    enum Mode {
        PLAIN, RAW;

        int uses;
        static int total;
        static Mode last;
    }

    public static void ofInterface() {
        Shared.LIST.add("x");
        throw new IllegalStateException("" + Shared.LIST.size());
    }

    interface Shared {
        List<String> LIST = new ArrayList<>();
    }

    /** Initialised by another class, whose initialiser registers itself. */
    public static void registry() {
        Plugin.load();
        throw new IllegalStateException("" + Registry.NAMES);
    }

    static final class Registry {
        static final List<String> NAMES = new ArrayList<>();
    }

    static final class Plugin {
        static {
            Registry.NAMES.add("plugin");
        }

        static void load() {}
    }

    /** A literal is the same object as the program's constant. */
    public static void identity(String text, String again) {
        throw new IllegalStateException((text == CONSTANT) + " " + (text == again));
    }
}
