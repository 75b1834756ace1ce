package tariffs;

public class PriceFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    PriceFailure(Throwable cause) {
        super("no price", cause);
    }
}
