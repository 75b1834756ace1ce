package ledger;

/** So many units for one. */
public final class Step {
    private final int units;

    public Step(int units) {
        this.units = units;
    }

    /** The bug: a currency may have been given up, and is then worth nothing. */
    int share(int amount) {
        return amount / units;
    }
}
