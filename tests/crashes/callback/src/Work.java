package archive;

public interface Work<T> {
    T in(Session session);
}
