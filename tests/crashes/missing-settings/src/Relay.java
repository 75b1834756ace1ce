package relay;

/** A station that passes letters on. */
public final class Relay {
    private final String name;
    private final int port;
    private final int retries;
    private final boolean isSecure;
    private final int queue;

    public Relay(Settings settings) {
        name = required(settings, "relay.station.name");
        port = Integer.parseInt(required(settings, "relay.station.port"));
        retries = Integer.parseInt(required(settings, "relay.delivery.retries"));
        isSecure = Boolean.parseBoolean(required(settings, "relay.delivery.secure"));
        queue = Integer.parseInt(required(settings, "relay.queue.size"));
    }

    private static String required(Settings settings, String setting) {
        String value = settings.get(setting);
        if (value == null) {
            throw new IllegalStateException("The settings are not complete");
        }
        return value;
    }

    /** The bug: letters may have no sender. */
    public String label(String sender) {
        String scheme = isSecure ? "relays" : "relay";
        return scheme + "://" + sender.trim() + "@" + name + ":" + (port + retries + queue);
    }
}
