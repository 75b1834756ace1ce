package javax.inject;

/** The interface of JSR 330, whose jar the program does not have. */
public interface Provider<T> {
    T get();
}
