package office;

import ledger.Ledger;

/** Where the pages of a ledger are asked for. */
public class Counter {
    private final Ledger ledger = new Ledger();

    public String find(String page) {
        ledger.open(page);
        return ledger.heading();
    }
}
