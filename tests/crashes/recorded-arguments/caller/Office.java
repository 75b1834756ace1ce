package office;

import ledgers.Ledger;

public class Office {
    public static void main(String[] arguments) {
        new Ledger().book("NL-7741-Kade", 918273645L, 'K');
    }
}
