package menu;

/** A line of a menu that stands for another one. */
public class Shortcut implements Entry {
    private final Entry target;

    public Shortcut(Entry target) {
        this.target = target;
    }

    @Override
    public String title() {
        return "to " + target.title();
    }

    @Override
    public int hashCode() {
        int hash = target.title().length();
        return 31 * hash
                + target.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shortcut && target.equals(((Shortcut) other).target);
    }
}
