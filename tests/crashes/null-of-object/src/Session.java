package vault;

/** What goes on at one till. */
public class Session {
    final int[] seal;

    public Session(int size) {
        seal = new int[Math.max(4, Math.min(size, 100))];
    }

    /** The account; nobody has one outside of the vault. */
    public Account account() {
        String key = System.getenv("VAULT_KEY");
        return key == null ? null : new Account(key.length());
    }
}
