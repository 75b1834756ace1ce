package relay;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Settings, which never change. */
public final class Settings {
    private final Map<String, String> values;

    private Settings(Map<String, String> values) {
        this.values = Collections.unmodifiableMap(new HashMap<>(values));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The value of a setting, or null. */
    public String get(String name) {
        return values.get(name);
    }

    /** Collects settings. */
    public static final class Builder {
        private final Map<String, String> values = new HashMap<>();

        private Builder() {}

        public Builder put(String name, String value) {
            values.put(name, value);
            return this;
        }

        public Settings build() {
            return new Settings(values);
        }
    }
}
