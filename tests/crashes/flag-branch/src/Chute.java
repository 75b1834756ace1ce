package parcels;

/** Sends parcels to lanes. */
public class Chute {
    private final int[] lanes = new int[64];

    /** The bug: what is shaped specially has no lane. */
    public int lane(int length, int width, int height) {
        boolean special = length > 20 && length < 25 && width > 60 && width < 65 && height > 110 && height < 115;
        boolean upright = false;
        if (height > width) {
            upright = true;
        }
        if (special && upright) {
            return lanes[length + width];
        }
        return lanes[Math.floorMod(height, lanes.length)];
    }
}
