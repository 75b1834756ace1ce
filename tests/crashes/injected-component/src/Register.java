package post;

public interface Register {
    boolean isOpen();

    Route route(String code);
}
