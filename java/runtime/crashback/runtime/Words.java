package crashback.runtime;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * Short texts that code of the project compares with others or looks up, wherever it lies: words of a
 * dictionary for texts of later tests. A word is told once in each batch, and a test looks at few
 * comparisons, so that tests cost little more.
 */
final class Words {
    /** Units of the longest word. */
    private static final int LONGEST = 24;
    /** Words of a batch. */
    private static final int MOST = 256;
    /** What a test may spend on looking at comparisons. */
    private static final int BUDGET = 128;
    /** What it costs to walk through a collection. */
    private static final int WALK = 16;
    /** How many elements of a collection are looked at. */
    private static final int MOST_ELEMENTS = 32;

    /** The words of the batch, those of the running test last. */
    private static final String[] words = new String[MOST];
    /** Where they lie in the table, which finds them by their hash codes. */
    private static final int[] places = new int[MOST];
    private static final String[] table = new String[2 * MOST];
    private static int count;
    /** How many words tests before this one have told. */
    private static int told;
    private static int marked;
    private static int spent;
    /** Whether the running test looks at further comparisons. */
    static boolean isOpen;

    private Words() {}

    static void newBatch() {
        told = 0;
        marked = 0;
        begin();
    }

    /** A test begins: what the one before has not told is forgotten. */
    static void begin() {
        // Those that came last go first, so that the others stay where the table looks for them.
        while (count > told) {
            count--;
            table[places[count]] = null;
            words[count] = null;
        }
        spent = 0;
        isOpen = count < MOST;
    }

    static void mark() {
        marked = told;
    }

    static void takeBack() {
        told = marked;
        begin();
    }

    /** How many words there are to tell. */
    static int untold() {
        return count - told;
    }

    static void encode() {
        Encoding.unsigned(count - told);
        for (int i = told; i < count; i++) {
            Encoding.units(words[i], LONGEST);
        }
        told = count;
    }

    /** Two texts are compared. Which of them the test made is not known here. */
    static void compared(Object left, Object right) {
        spend(1);
        if (left instanceof String && right instanceof String) {
            add((String) left);
            add((String) right);
        }
    }

    /** A text is looked for in what may be a map or a collection. */
    static void lookedUp(Object container, Object key) {
        spend(1);
        if (!(key instanceof String)) {
            return;
        }
        try {
            Collection<?> elements = Calls.elements(container, container instanceof Map);
            if (elements != null) {
                spend(WALK);
                Iterator<?> all = elements.iterator();
                for (int i = 0; i < MOST_ELEMENTS && all.hasNext(); i++) {
                    Object element = all.next();
                    if (element instanceof String) {
                        add((String) element);
                    }
                }
            }
        } catch (RuntimeException e) {
            // Another thread changes the collection.
            return;
        }
    }

    private static void spend(int cost) {
        spent += cost;
        if (spent >= BUDGET) {
            isOpen = false;
        }
    }

    private static void add(String word) {
        if (count == MOST || word.isEmpty() || word.length() > LONGEST) {
            return;
        }
        int place = word.hashCode() & table.length - 1;
        while (table[place] != null) {
            if (table[place].equals(word)) {
                return;
            }
            place = place + 1 & table.length - 1;
        }
        table[place] = word;
        places[count] = place;
        words[count] = word;
        count++;
        if (count == MOST) {
            isOpen = false;
        }
    }
}
