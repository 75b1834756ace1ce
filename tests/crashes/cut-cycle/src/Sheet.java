package table;

import java.util.HashMap;
import java.util.Map;

/** Cells that hold numbers, or the name of another cell behind an equals sign. */
public class Sheet {
    private final Map<String, String> cells = new HashMap<>();

    public void set(String name, String content) {
        cells.put(name, content);
    }

    public int value(String name) {
        String content = cells.get(name);
        if (content == null) {
            return 0;
        }
        return content.startsWith("=")
                ? formula(content)
                : content.length();
    }

    private int formula(String content) {
        String name = trimmed(content.substring(1));
        return cell(name);
    }

    private int cell(String name) {
        if (name.isEmpty()) {
            return 0;
        }
        return value(name);
    }

    private String trimmed(String name) {
        return name.trim();
    }
}
