package survey;

/** A profile of measured heights, settled from its far end to its near one. */
public class Profile {
    private final double[] heights;
    private final double[] slopes;
    private double[] settled;

    public Profile(double[] heights, double[] slopes) {
        if (slopes.length != heights.length - 1) {
            throw new IllegalArgumentException("There is one slope between two heights");
        }
        this.heights = heights.clone();
        this.slopes = slopes.clone();
        settle();
    }

    public double settled(int position) {
        return settled[position];
    }

    private void settle() {
        settled = new double[heights.length];
        for (int end = heights.length; end > 0; end--) {
            settled[end - 1] = heights[end - 1] - step(end);
        }
    }

    private double step(int end) {
        if (end == 1) {
            return 0;
        }
        double drop = heights[end - 2] - heights[end - 1];
        return drop > 0 ? correction(end, drop) : drop / 2;
    }

    /** The bug: a steep drop between the first two heights has no height before it. */
    private double correction(int end, double drop) {
        double slope = slopes[end - 2];
        if (slope * slope > 2 * drop + heights[end - 1]) {
            double before = heights[end - 3];
            return (before - drop) / slope;
        }
        return drop / (1 + slope * slope);
    }
}
