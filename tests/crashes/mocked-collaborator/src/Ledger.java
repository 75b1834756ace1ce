package ledger;

/** Sums amounts in other currencies. */
public class Ledger {
    private final Rates rates;

    public Ledger(Rates rates) {
        this.rates = rates;
    }

    public int total(String currency, int amount) {
        if (!rates.isOpen(currency)) {
            return 0;
        }
        Table table = rates.table(currency);
        if (table == null) {
            throw new IllegalStateException("no table for " + currency);
        }
        int total = 0;
        for (Step step : table.steps()) {
            total += step.share(amount);
        }
        return total;
    }
}
