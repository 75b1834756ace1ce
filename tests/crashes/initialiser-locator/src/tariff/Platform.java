package tariff;

/** What the program stands on. */
public final class Platform {
    private static Currency currency;

    private Platform() {
    }

    public static void setCurrency(Currency used) {
        currency = used;
    }

    public static Currency currency() {
        if (currency == null) {
            throw new IllegalStateException("Set the currency first");
        }
        return currency;
    }
}
