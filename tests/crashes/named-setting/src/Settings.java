package depot;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Settings of a depot, with names of two parts. */
public final class Settings {
    private static final List<String> AREAS = Arrays.asList(
        "ramp", "rack", "shelf", "crane", "belt", "scale", "dock", "lift", "gate", "track", "truck", "cart",
        "aisle", "bay", "cage", "vault", "cellar", "attic", "office", "kiosk", "fence", "yard");
    private static final List<String> ASPECTS = Arrays.asList(
        "height", "width", "depth", "load", "speed", "count", "colour", "owner", "phone", "floor", "grade",
        "lamp", "lock", "alarm", "clock", "sign", "paint", "slope");

    private final String[][] values = new String[AREAS.size()][ASPECTS.size()];

    public Settings(Map<String, String> given) {
        for (Map.Entry<String, String> setting : given.entrySet()) {
            String[] name = setting.getKey().split("\\.", 2);
            int area = AREAS.indexOf(name[0]);
            int aspect = name.length == 2 ? ASPECTS.indexOf(name[1]) : -1;
            if (area >= 0 && aspect >= 0) {
                values[area][aspect] = setting.getValue();
            }
        }
    }

    /** The value of a setting that every depot has. */
    public String required(int area, int aspect) {
        String value = values[area][aspect];
        if (value == null) {
            throw new IllegalStateException(
                AREAS.get(area) + "." + ASPECTS.get(aspect) + " is not configured");
        }
        return value;
    }
}
