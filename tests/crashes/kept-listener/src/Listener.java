package station;

public interface Listener {
    void reading(int pressure);
}
