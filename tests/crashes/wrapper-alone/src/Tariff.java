package tariffs;

/** Prices of deliveries. */
public class Tariff {
    private int sold;

    public int price(int zone, int weight) {
        try {
            sold += Rates.rate(zone, weight);
        } catch (IllegalArgumentException failure) {
            throw new PriceFailure(failure);
        }
        return sold;
    }
}
