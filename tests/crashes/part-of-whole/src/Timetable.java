package rail;

import java.util.LinkedHashMap;
import java.util.Map;

/** The lines of a railway, read from a text such as {@code north=7,12,19 south=4}. */
public final class Timetable {
    private final Map<String, Line> lines = new LinkedHashMap<>();

    private Timetable() {}

    public static Timetable parse(String text) {
        Timetable timetable = new Timetable();
        for (String entry : text.split(" ")) {
            Line line = new Line();
            int equals = entry.indexOf('=');
            line.name = equals < 0 ? entry : entry.substring(0, equals);
            line.minutes = new int[entry.substring(equals + 1).split(",").length];
            timetable.lines.put(line.name, line);
        }
        return timetable;
    }

    public Map<String, Line> lines() {
        return lines;
    }

    /** A line with its stops. Frameworks that fill fields need the empty constructor. */
    public static final class Line {
        private String name;
        private int[] minutes;

        public Line() {}

        public String arrival(int stop) {
            if (name == null) {
                return "unknown";
            }
            return name + " at " + minute(stop);
        }

        /** The bug: a line may have fewer stops. */
        private int minute(int stop) {
            return minutes[stop];
        }
    }
}
