package press;

import java.util.function.Consumer;

/** A column of a page. */
class Column {
    private final int width;

    Column(int width) {
        this.width = width;
    }

    int room(String line) {
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
