package plan;

import java.util.ArrayList;
import java.util.List;

/** Headings that lie below each other by the tabs before them. */
public class Outline {
    /** The bug: a heading may lie more than one step below the last one. */
    public static List<String> read(String text) {
        Lines lines = new Lines(text);
        List<String> paths = new ArrayList<>();
        List<String> parents = new ArrayList<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (parents.isEmpty() && lines.depth() > 0) {
                throw new IllegalArgumentException("The first heading lies too deep");
            }
            String path = lines.depth() == 0 ? line : parents.get(lines.depth() - 1) + "/" + line;
            while (parents.size() > lines.depth()) {
                parents.remove(parents.size() - 1);
            }
            parents.add(path);
            paths.add(path);
        }
        return paths;
    }
}
