package office;

import ledger.Ledger;

public class Office {
    public static void main(String[] arguments) {
        System.out.println(new Ledger().book("12"));
    }
}
