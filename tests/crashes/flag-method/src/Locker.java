package parcels;

/** Finds lockers for parcels. */
public class Locker {
    private final int[] doors = new int[64];

    /** The bug: what is oversize has no door. */
    public int door(int length, int width, int height) {
        if (isOversize(length, width, height)) {
            return doors[length + width];
        }
        return doors[Math.floorMod(height, doors.length)];
    }

    private boolean isOversize(int length, int width, int height) {
        return !isFlat(height) && length > 120 && length < 125 && width > 360 && width < 365;
    }

    private static boolean isFlat(int height) {
        if (height < 710) {
            return true;
        }
        return height > 714;
    }
}
