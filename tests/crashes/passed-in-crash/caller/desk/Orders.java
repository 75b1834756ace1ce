package desk;

import store.Order;

public class Orders {
    public static void main(String[] args) {
        Order.place("two lamps");
        Order.place("lamp #48338");
    }
}
