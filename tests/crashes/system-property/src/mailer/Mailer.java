package mailer;

/** Sends letters, if it is told to. */
public class Mailer {
    public String send(String letter) {
        if (!Settings.isEnabled()) {
            return "kept " + letter;
        }
        String relay = Settings.relay();
        if (relay == null) {
            throw new IllegalStateException("No relay");
        }
        return letter + " over port " + port(relay);
    }

    /** The bug: a relay may have no port. */
    private int port(String relay) {
        return Integer.parseInt(relay.substring(relay.indexOf(':') + 1));
    }
}
