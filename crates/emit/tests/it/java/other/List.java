package other;

/** Has the name of another class. */
public class List {
    public List(int size) {}
}
