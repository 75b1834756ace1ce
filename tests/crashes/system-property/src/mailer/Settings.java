package mailer;

/** Where the mailer finds its servers. */
final class Settings {
    private static final boolean ENABLED = Boolean.getBoolean("mailer.enabled");

    private Settings() {
    }

    static boolean isEnabled() {
        return ENABLED;
    }

    static String relay() {
        return System.getProperty("mailer.relay");
    }
}
