package hotel;

/** Wants to hear of news. */
public interface Guest {
    void hear(Desk desk, String news);
}
