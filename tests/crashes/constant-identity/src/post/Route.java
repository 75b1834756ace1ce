package post;

/** How letters travel. Other parts of the program make routes of their own. */
public final class Route {
    public static final Route LOCAL = new Route("local", 1);
    public static final Route AIR = new Route("air", 3);

    private final String name;
    private final int days;

    public Route(String name, int days) {
        this.name = name;
        this.days = days;
    }

    int days() {
        return days;
    }

    @Override
    public String toString() {
        return name;
    }
}
