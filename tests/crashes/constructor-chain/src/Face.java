package meters;

/** How a board is turned. */
public final class Face {
    public static final Face UPRIGHT = new Face("upright");
    public static final Face FLAT = new Face("flat");

    private final String name;

    private Face(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
