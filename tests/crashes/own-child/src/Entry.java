package menu;

/** A line of a menu. */
public interface Entry {
    String title();
}
