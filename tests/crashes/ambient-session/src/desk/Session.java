package desk;

/** Who works at the desk, for the thread at hand. */
public class Session {
    private static final ThreadLocal<Session> CURRENT = new ThreadLocal<>();

    /** The language of the desk, for all threads. */
    public static String language;

    private final String user;

    public Session(String user) {
        this.user = user;
    }

    public static void enter(Session session) {
        CURRENT.set(session);
    }

    public static Session current() {
        return CURRENT.get();
    }

    public String user() {
        return user;
    }
}
