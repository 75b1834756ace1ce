package vault;

/** Pays the balance of an account out. */
public class Till {
    public int pay(Session session, int parts) {
        int first = session.seal[session.seal.length - 1];
        if (session.account().isClosed()) {
            return first;
        }
        // The bug: there may be no part.
        return first + session.account().balance() / parts;
    }
}
