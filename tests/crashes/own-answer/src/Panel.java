package kiosk;

import java.util.HashMap;
import java.util.Map;

/** Shows values of a theme, or of the theme on which that one is based. */
public class Panel {
    private final Map<String, String> values = new HashMap<>();
    private final String theme;

    public Panel(String theme) {
        this.theme = theme;
    }

    public void set(String key, String value) {
        values.put(key, value);
    }

    public String value(String key) {
        String used = theme;
        String found = values.get(used + "." + key);
        if (found == null) {
            String base = base();
            if (!used.equals(base)) {
                found = values.get(base + "." + key);
                used = base;
            }
        }
        if (found == null && isStrict()) {
            // The bug: a theme need not have a base.
            throw new IllegalStateException("nothing in " + used.trim());
        }
        return found;
    }

    /** The theme below; the place where the panel stands says which. */
    protected String base() {
        String base = System.getenv("KIOSK_BASE");
        return base == null ? "plain" : base;
    }

    protected boolean isStrict() {
        return System.getenv("KIOSK_STRICT") != null;
    }
}
