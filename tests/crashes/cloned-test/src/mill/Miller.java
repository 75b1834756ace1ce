package mill;

/** Takes orders. */
public class Miller {
    private int ground;

    public int order(Mill mill, String recipe, int weight) {
        ground += mill.grind(recipe, weight);
        return ground;
    }
}
