package plant;

/** What the belt makes. */
public class Recipe {
    private final int portions;

    public Recipe(int portions) {
        this.portions = portions;
    }

    public int portions() {
        return portions;
    }
}
