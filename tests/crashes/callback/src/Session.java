package archive;

public interface Session {
    String load(String key);

    boolean isOpen();
}
