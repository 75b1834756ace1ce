package office;

import bureau.Amounts;

public final class Counter {
    public static void main(String[] args) {
        System.out.println(Amounts.parse("17.5 CLF"));
    }
}
