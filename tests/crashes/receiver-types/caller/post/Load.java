package post;

import cart.Cart;
import cart.Ledger;
import cart.Parcel;

public class Load {
    public static void main(String[] arguments) {
        Ledger<Parcel> ledger = new Ledger<>();
        ledger.add(new Parcel(100));
        ledger.add(new Parcel(250));
        new Cart(ledger).isFree();
    }
}
