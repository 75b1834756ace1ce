package archive;

/** Runs work inside of a transaction. Only a server has one. */
public interface Store {
    <T> T execute(String name, Work<T> work);
}
