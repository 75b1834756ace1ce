package station;

public interface Feed {
    void subscribe(Listener listener);
}
