package press;

/** What the platform provides. */
public interface Registry {
    Object find(String name);
}
