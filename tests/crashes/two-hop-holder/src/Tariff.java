package parking;

/** What staying costs. */
public class Tariff {
    private final int price;
    private final int unit;

    public Tariff(int price, int unit) {
        this.price = price;
        this.unit = unit;
    }

    /** The bug: where parking is free there is no unit. */
    int cost(int minutes) {
        return minutes * price / unit;
    }
}
