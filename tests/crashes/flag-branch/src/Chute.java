package parcels;

/** Sends parcels to lanes. */
public class Chute {
    private final int[] lanes = new int[64];

    /** The bug: what is charged specially has no lane. */
    public int lane(int length, int weight) {
        int charge = 7 * length - 3 * weight;
        boolean special = charge > 40_000 && charge < 40_010;
        boolean heavy = false;
        if (weight > length) {
            heavy = true;
        }
        if (special && !heavy) {
            return lanes[charge];
        }
        return lanes[Math.floorMod(charge, lanes.length)];
    }
}
