package crashback.runtime;

import java.util.Collection;
import java.util.Map;

/**
 * Texts that code of the project looked up last and that were not there: names of settings that a test
 * would have needed, for tests that end with an exception. A look-up is only noted, so that those that
 * are no one's last cost next to nothing.
 */
final class Missed {
    /** Look-ups that are noted: a power of two. */
    private static final int NOTED = 16;
    /** Names that are told. */
    private static final int MOST = 4;
    /** Units of the longest name. */
    private static final int LONGEST = 48;

    private static final Object[] containers = new Object[NOTED];
    private static final String[] names = new String[NOTED];
    /** How many look-ups there were since the test began. */
    private static int count;

    /** Those to tell, the latest first. */
    private static final String[] told = new String[MOST];

    private Missed() {}

    static void begin() {
        if (count == 0) {
            return;
        }
        count = 0;
        for (int i = 0; i < NOTED; i++) {
            containers[i] = null;
            names[i] = null;
        }
    }

    /** A name is looked up in what may be a map or a collection. */
    static void lookedUp(Object container, Object name) {
        if (!(name instanceof String)) {
            return;
        }
        int last = count - 1 & NOTED - 1;
        if (names[last] == name && containers[last] == container) {
            return;
        }
        containers[count & NOTED - 1] = container;
        names[count & NOTED - 1] = (String) name;
        count++;
    }

    /** Tells the latest names, if the test ended with an exception. */
    static void encode(boolean hasThrown) {
        int found = hasThrown ? collect() : 0;
        Encoding.unsigned(found);
        for (int i = 0; i < found; i++) {
            Encoding.units(told[i], LONGEST);
            told[i] = null;
        }
    }

    private static int collect() {
        int found = 0;
        for (int back = 1; back <= Math.min(count, NOTED) && found < MOST; back++) {
            int at = count - back & NOTED - 1;
            String name = names[at];
            boolean isName = !name.isEmpty() && name.length() <= LONGEST && !isTold(name, found);
            if (isName && isMissing(containers[at], name)) {
                told[found] = name;
                found++;
            }
        }
        return found;
    }

    private static boolean isTold(String name, int found) {
        for (int i = 0; i < found; i++) {
            if (told[i].equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Where the container is the program's own, nothing of it is run, and the name may have been there. */
    private static boolean isMissing(Object container, String name) {
        try {
            Collection<?> elements = Calls.elements(container, container instanceof Map);
            return elements == null || !elements.contains(name);
        } catch (RuntimeException e) {
            // Elements of another type, or another thread that changes the collection.
            return false;
        }
    }
}
