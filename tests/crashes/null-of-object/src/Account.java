package vault;

/** An account, as the vault knows it. */
public class Account {
    private final int balance;

    public Account(int balance) {
        this.balance = balance;
    }

    public int balance() {
        return balance;
    }

    public boolean isClosed() {
        return balance < 0;
    }
}
