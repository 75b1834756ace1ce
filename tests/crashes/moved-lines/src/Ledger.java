package ledger;

/** The newer version: amounts are checked first. */
public class Ledger {
    private int balance;

    public int book(String amount) {
        String digits = amount.trim();
        if (digits.length() > 6) {
            return balance;
        }
        balance += parse(digits);
        return balance;
    }

    private static int parse(String digits) {
        String[] parts = digits.split(",");
        return Integer.parseInt(parts[1]);
    }
}
