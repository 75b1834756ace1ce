package meters;

/** What a meter has measured. */
public interface Readings {
    int count();

    double reading(int index);
}
