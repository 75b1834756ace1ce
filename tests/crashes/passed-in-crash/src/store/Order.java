package store;

/** Orders as customers write them. */
public final class Order {
    private Order() {}

    /** The place of the ordered goods: what a customer writes behind a cross is their number. */
    public static String place(String order) {
        int cross = order.indexOf('#');
        if (cross < 0) {
            return "desk";
        }
        return Shelf.of(Integer.parseInt(order.substring(cross + 1)));
    }
}
