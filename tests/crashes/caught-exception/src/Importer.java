package depot;

import java.util.List;

/** Reads what it can. What cannot be read is for the listener. */
public class Importer {
    private final Listener listener;

    public Importer(Listener listener) {
        this.listener = listener;
    }

    public int load(List<String> lines) {
        int loaded = 0;
        for (String line : lines) {
            try {
                loaded += weight(line) > 0 ? 1 : 0;
            } catch (RuntimeException failure) {
                listener.failed(line, failure);
            }
        }
        listener.done(loaded);
        return loaded;
    }

    private int weight(String line) {
        String[] parts = line.split(";");
        return Integer.parseInt(parts[1].trim());
    }
}
