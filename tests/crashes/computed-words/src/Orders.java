package looms;

import java.util.ArrayList;
import java.util.List;

class Orders {
    private static final int[][] HIDDEN = {
        {66, 79, 78, 78, 70, 79},
        {89, 66, 95, 94, 94, 70, 79},
        {94, 88, 79, 75, 78, 70, 79},
        {72, 69, 72, 72, 67, 68},
        {93, 75, 88, 90},
        {93, 79, 76, 94}
    };

    private final List<String> words = new ArrayList<>();

    Orders() {
        for (int[] hidden : HIDDEN) {
            StringBuilder word = new StringBuilder();
            for (int letter : hidden) {
                word.append((char) (letter ^ 42));
            }
            words.add(word.toString());
        }
    }

    List<Integer> read(String text) {
        List<Integer> steps = new ArrayList<>();
        for (int at = 0; at < text.length(); at++) {
            int kind = kind(text.substring(at));
            if (kind >= 0) {
                steps.add(kind);
            }
        }
        return steps;
    }

    private int kind(String rest) {
        for (int i = 0; i < words.size(); i++) {
            if (rest.startsWith(words.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
