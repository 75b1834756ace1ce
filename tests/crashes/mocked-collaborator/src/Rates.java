package ledger;

/** Where rates come from. Whoever runs the ledger has to bring them. */
public interface Rates {
    boolean isOpen(String currency);

    Table table(String currency);
}
