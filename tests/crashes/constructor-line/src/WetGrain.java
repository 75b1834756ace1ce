package mill;

public class WetGrain extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WetGrain(String grain, int moisture, String words) {
        super(grain + " has " + words + ", which is " + (moisture - 14) + " too much");
    }
}
