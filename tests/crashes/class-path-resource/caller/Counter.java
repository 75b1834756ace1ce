package depot;

import postage.Rates;

public class Counter {
    public static void main(String[] arguments) throws Exception {
        System.out.println(Rates.of("overseas").size());
    }
}
