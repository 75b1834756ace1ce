package press;

import java.util.function.Consumer;
import java.util.function.Predicate;

/** What lines of a column must be like. */
public class Rules {
    private final int width;

    public Rules(int width) {
        this.width = width;
    }

    public Predicate<String> fits() {
        return line -> room(line) >= 0;
    }

    private int room(String line) {
        int[] left = {width};
        each(line.split(" "), word -> left[0] -= width(word));
        return left[0];
    }

    private static void each(String[] words, Consumer<String> action) {
        for (String word : words) {
            action.accept(word);
        }
    }

    /** The bug: two blanks have a word without letters between them. */
    private static int width(String word) {
        return Character.isUpperCase(word.charAt(0)) ? word.length() + 1 : word.length();
    }
}
