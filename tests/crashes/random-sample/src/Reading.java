package weather;

import java.util.Random;

/** What a station has measured, in tenths of a degree. */
public final class Reading {
    private final int tenths;

    private Reading(int tenths) {
        this.tenths = tenths;
    }

    /** What was measured at a time of day. */
    public static Reading of(int hour, int minute, int tenths) {
        if (hour < 5 || hour > 21 || minute < 0 || minute > 59) {
            throw new IllegalArgumentException("Nothing is measured at " + hour + ":" + minute);
        }
        return new Reading(tenths);
    }

    /** For displays that show something while nothing is measured. */
    public static Reading sample() {
        return new Reading(new Random().nextInt(1000) - 200);
    }

    /** Like a sample, but the same for a whole day. */
    public static Reading ofToday() {
        return new Reading((int) (System.currentTimeMillis() / 86_400_000 % 1000) - 200);
    }

    int tenths() {
        return tenths;
    }
}
