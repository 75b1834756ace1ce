package shop;

import java.util.List;

public class Till {
    private final Prices prices;

    public Till(Prices prices) {
        this.prices = prices;
    }

    public int total(List<String> items) {
        int total = 0;
        for (String item : items) {
            total += price(item);
        }
        return total;
    }

    private int price(String item) {
        return prices.of(item).intValue();
    }

    public static void main(String[] arguments) {
        new Till(new Prices()).total(java.util.Arrays.asList("tea", "moon"));
    }
}
