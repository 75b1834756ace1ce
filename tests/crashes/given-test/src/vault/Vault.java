package vault;

/** A vault that opens with its code. */
public class Vault {
    private static final int CODE = 0xf21cd877;

    private int turns = 0x811c9dc5;

    public void turn(int to) {
        turns = (turns ^ to) * 0x01000193;
    }

    public boolean isOpen() {
        return turns == CODE;
    }

    /** The bug: there may be no heirs at all. */
    public int share(int gold, int heirs) {
        if (!isOpen()) {
            throw new IllegalStateException("Closed");
        }
        return gold / heirs;
    }
}
