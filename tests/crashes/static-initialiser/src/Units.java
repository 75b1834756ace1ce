package scales;

import java.util.HashMap;
import java.util.Map;

/** Units and what they weigh, for all scales. */
public final class Units {
    private static final Map<String, Integer> GRAMS = new HashMap<>();
    static final int POUND = load("pound", "453");
    private static final int OUNCE = load("ounce", property("ounce"));

    private Units() {}

    public static int grams(String unit) {
        return GRAMS.get(unit) + OUNCE;
    }

    /** Somebody else may have set it. */
    private static String property(String unit) {
        return System.getProperty("scales." + unit);
    }

    private static int load(String unit, String grams) {
        GRAMS.put(unit, number(grams));
        return GRAMS.get(unit);
    }

    /** The bug: not every unit is set. */
    private static int number(String text) {
        return text.isEmpty() ? 0 : Integer.parseInt(text.trim());
    }
}
