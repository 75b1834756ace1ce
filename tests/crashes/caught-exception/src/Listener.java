package depot;

public interface Listener {
    void failed(String line, Exception failure);

    void done(int loaded);
}
