package press;

/** A queue of the platform. */
public interface Spool {
    void enqueue(String title);
}
