package cards;

import java.util.HashMap;
import java.util.Map;

class Part {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, Part> parts = new HashMap<>();
    private final String name;

    Part(String name, Part around) {
        this.name = name;
        if (around != null) {
            around.parts.put(name, this);
        }
    }

    String name() {
        return name;
    }

    void put(String name, String value) {
        values.put(name, value);
    }

    /** The bug: a telephone without a number. */
    String label() {
        Part phone = parts.get("PHONE");
        if (phone == null) {
            return name;
        }
        return phone.values.get("NUMBER").trim();
    }
}
