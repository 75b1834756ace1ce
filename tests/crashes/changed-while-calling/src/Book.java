package kitchen;

/** Knows who prepares what. */
public interface Book {
    Handler handler(String course);
}
