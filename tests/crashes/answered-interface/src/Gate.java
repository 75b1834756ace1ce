package gates;

/** A gate of an airport, as its system of signs tells of it. */
public interface Gate {
    boolean isOpen();

    String sign();

    default String line() {
        return isOpen() ? sign() : "closed";
    }
}
