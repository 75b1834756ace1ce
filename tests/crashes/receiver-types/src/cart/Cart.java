package cart;

/** A cart that is filled by the parcels of a ledger. */
public class Cart {
    private final Ledger<Parcel> ledger;

    public Cart(Ledger<Parcel> ledger) {
        this.ledger = ledger;
    }

    public boolean isFree() {
        return ledger.hasPlace(Parcel.class);
    }
}
