package depot;

import java.util.Map;

/** A depot, as its settings say. */
public final class Depot {
    private final String title;

    public Depot(Map<String, String> given) {
        Settings settings = new Settings(given);
        title = settings.required(21, 17);
    }

    /** The bug: a parcel without sender. */
    public String label(String sender) {
        return title + ": " + sender.trim();
    }
}
