package tariff;

/** Money. */
public interface Currency {
    String sign();
}
