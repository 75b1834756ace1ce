package depot;

import books.Ledger;

public class Audit {
    public static void main(String[] arguments) {
        System.out.println(new Ledger(4).from(7).next());
    }
}
