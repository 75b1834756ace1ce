package mill;

/** How much is wanted. */
public final class Order {
    private final int amount;

    public Order(int amount) {
        this.amount = amount;
    }

    int amount() {
        return amount;
    }
}
