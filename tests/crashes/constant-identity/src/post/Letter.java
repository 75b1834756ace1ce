package post;

/** Something to be sent. */
public interface Letter {
    Route route();

    Object sender();

    String address();
}
