package mill;

/** Takes orders. */
public class Miller {
    private int ground;

    public int order(String recipe, int weight, int sacks) {
        ground += Mill.grind(recipe, weight, sacks);
        return ground;
    }
}
