package post;

public class Route {
    private String name;

    public void setName(String name) {
        this.name = name;
    }

    /** The bug: a route may have no name yet. */
    String label() {
        return name.trim();
    }
}
