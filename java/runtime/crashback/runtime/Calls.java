package crashback.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Calls that compare or look up, before they run: how far each is from saying yes. Nothing is
 * expected of calls that will throw, that run code of the program, or that will say yes.
 */
final class Calls {
    /** How many elements of a collection are compared. */
    private static final int MOST_ELEMENTS = 32;

    private Calls() {}

    static void equal(Object left, Object right, int probe) {
        tell(Distances.values(left, right), left, right, probe);
    }

    static void equalIgnoringCase(Object text, Object other, int probe) {
        if (areTexts(text, other)) {
            tell(Distances.texts((String) text, (String) other, true), text, other, probe);
        }
    }

    static void startsWith(Object text, Object prefix, int offset, int probe) {
        if (areTexts(text, prefix)) {
            region((String) text, false, offset, (String) prefix, 0, ((String) prefix).length(), probe);
        }
    }

    static void endsWith(Object text, Object suffix, int probe) {
        if (areTexts(text, suffix)) {
            int length = ((String) suffix).length();
            int start = ((String) text).length() - length;
            region((String) text, false, start, (String) suffix, 0, length, probe);
        }
    }

    static void containsText(Object text, Object part, int probe) {
        if (areTexts(text, part)) {
            tell(Distances.containing((String) text, (String) part, 0), text, part, probe);
        }
    }

    /** Behind what was found last; where nothing is left there, the whole text is the operand. */
    static void findText(Object text, Object part, int from, int probe) {
        if (!(text instanceof String) || !(part instanceof String)) {
            Record.expect(Record.INDEX, Distances.UNKNOWN);
            return;
        }
        String searched = (String) text;
        double distance = Distances.containing(searched, (String) part, from);
        Record.expect(Record.INDEX, distance);
        if (distance > 0) {
            boolean isRest = 0 < from && from < searched.length();
            Record.operands(probe, isRest ? searched.substring(from) : searched, part);
        }
    }

    /** The nearest character is the operand, so that the others stay. */
    static void findCharacter(Object text, int character, int from, int probe) {
        if (!(text instanceof String) || ((String) text).indexOf(character, from) >= 0) {
            Record.expect(Record.INDEX, Distances.UNKNOWN);
            return;
        }
        String searched = (String) text;
        int nearest = Distances.nearest(searched, character, from);
        if (nearest < 0) {
            Record.expect(Record.INDEX, 1);
            Record.operands(probe, searched, new String(Character.toChars(character)));
        } else {
            Record.expect(Record.INDEX, Distances.unlike(Math.abs((double) character - nearest)));
            Record.operands(probe, (char) nearest, character);
        }
    }

    /** How far a text is from matching is not known without a run of the pattern. */
    static void matches(Object text, Object pattern, int probe) {
        if (areTexts(text, pattern)) {
            Record.operands(probe, text, pattern);
        }
    }

    static void regionMatches(
            Object text, boolean ignoringCase, int at, Object other, int from, int length, int probe) {
        if (areTexts(text, other)) {
            region((String) text, ignoringCase, at, (String) other, from, length, probe);
        }
    }

    /** The nearest element stands for the collection among the operands. */
    static void lookUp(Object container, Object key, boolean isMap, int result, int probe) {
        Record.expect(result, Distances.UNKNOWN);
        if (!(key instanceof String) && !Distances.isIntegral(key)) {
            return;
        }
        try {
            Collection<?> elements = elements(container, isMap);
            if (elements != null) {
                nearest(elements, key, result, probe);
            }
        } catch (RuntimeException e) {
            // Another thread changes the collection.
            return;
        }
    }

    private static void nearest(Collection<?> elements, Object key, int result, int probe) {
        double best = Distances.UNKNOWN;
        Object nearest = null;
        Iterator<?> all = elements.iterator();
        for (int i = 0; i < MOST_ELEMENTS && all.hasNext(); i++) {
            Object element = all.next();
            double distance = Distances.values(element, key);
            if (distance >= 0 && (best < 0 || distance < best)) {
                best = distance;
                nearest = element;
            }
        }
        if (best > 0) {
            Record.expect(result, best);
            Record.operands(probe, nearest, key);
        }
    }

    private static void region(
            String text, boolean ignoringCase, int at, String other, int from, int length, int probe) {
        double distance = Distances.region(text, at, other, from, length, ignoringCase, Record.FAR);
        tell(distance, text, other, probe);
    }

    private static void tell(double distance, Object left, Object right, int probe) {
        Record.expect(Record.FLAG, distance);
        if (distance > 0) {
            Record.operands(probe, left, right);
        }
    }

    private static boolean areTexts(Object left, Object right) {
        if (left instanceof String && right instanceof String) {
            return true;
        }
        Record.expect(Record.FLAG, Distances.UNKNOWN);
        return false;
    }

    /** What a look-up looks at, if walking through it runs nothing but the JDK. */
    static Collection<?> elements(Object container, boolean isMap) {
        if (container == null) {
            return null;
        }
        Class<?> kind = container.getClass();
        if (isMap) {
            return isPlainMap(kind, container) ? ((Map<?, ?>) container).keySet() : null;
        }
        return isPlainCollection(kind, container) ? (Collection<?>) container : null;
    }

    static boolean isPlainMap(Class<?> kind, Object map) {
        return kind == HashMap.class
                || kind == LinkedHashMap.class
                || kind == ConcurrentHashMap.class
                || kind == TreeMap.class && ((TreeMap<?, ?>) map).comparator() == null
                || kind == Hashtable.class
                || isImmutable(kind) && map instanceof Map;
    }

    static boolean isPlainCollection(Class<?> kind, Object collection) {
        return kind == ArrayList.class
                || kind == HashSet.class
                || kind == LinkedHashSet.class
                || kind == TreeSet.class && ((TreeSet<?>) collection).comparator() == null
                || kind == LinkedList.class
                || kind == ArrayDeque.class
                || kind == Vector.class
                || kind == CopyOnWriteArrayList.class
                || isImmutable(kind) && collection instanceof Collection;
    }

    /** Those of {@code List.of} and the like, and {@code Arrays.asList}. */
    private static boolean isImmutable(Class<?> kind) {
        if (kind.getClassLoader() != null) {
            return false;
        }
        String name = kind.getName();
        return name.startsWith("java.util.ImmutableCollections$")
                || name.equals("java.util.Arrays$ArrayList");
    }
}
