package mill;

/** Grinds what is dry enough. */
public class Mill {
    private int ground;

    public int grind(String grain, int moisture) {
        if (moisture > 14) {
            throw new WetGrain(
                    grain.trim(),
                    moisture,
                    describe(
                            moisture));
        }
        ground += moisture;
        return ground;
    }

    private static String describe(int moisture) {
        return moisture + " %";
    }
}
