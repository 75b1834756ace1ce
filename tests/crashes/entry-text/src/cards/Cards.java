package cards;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reads cards that are written as lines of names and values, in parts that begin and end. */
public class Cards {
    private static final String BEGIN = "BEGIN";
    private static final String END = "END";

    public static List<String> read(String text) {
        List<String> labels = new ArrayList<>();
        Deque<Part> open = new ArrayDeque<>();
        for (String line : text.split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("No colon in " + line);
            }
            String name = line.substring(0, colon);
            String value = line.substring(colon + 1);
            if (name.equals(BEGIN)) {
                open.push(new Part(value, open.peek()));
            } else if (open.isEmpty()) {
                throw new IllegalArgumentException("Nothing has begun before " + line);
            } else if (name.equals(END)) {
                Part ended = open.pop();
                if (!ended.name().equals(value)) {
                    throw new IllegalArgumentException(ended.name() + " does not end with " + line);
                }
                if (open.isEmpty()) {
                    labels.add(ended.label());
                }
            } else {
                open.peek().put(name, value);
            }
        }
        return labels;
    }
}
