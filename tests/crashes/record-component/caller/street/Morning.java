package street;

import kiosk.Box;
import kiosk.Order;

public class Morning {
    public static void main(String[] arguments) {
        System.out.println(new Order("Courant", 0).copiesPerBox(new Box(40)));
    }
}
