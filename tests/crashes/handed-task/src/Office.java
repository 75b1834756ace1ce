package post;

public interface Office {
    boolean isOpen();

    String address();
}
