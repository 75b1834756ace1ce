package parcels;

/** Weighs parcels. */
public class Scale {
    private final int[] rates = new int[32];
    private boolean calibrated;

    /** Puts two weights on the scale, which have to agree with it. */
    public void calibrate(int light, int heavy, int offset) {
        calibrated = light > 250 && light < 255 && heavy > 4310 && heavy < 4315 && offset > 70 && offset < 75;
    }

    /** The bug: a calibrated scale takes the weight for a rate. */
    public int rate(int weight) {
        if (calibrated) {
            return rates[weight];
        }
        return rates[Math.floorMod(weight, rates.length)];
    }
}
