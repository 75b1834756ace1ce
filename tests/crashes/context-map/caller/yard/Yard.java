package yard;

import java.util.HashMap;
import java.util.Map;
import mill.Miller;
import mill.Order;
import mill.Sack;

public class Yard {
    public static void main(String[] arguments) {
        Map<String, Object> context = new HashMap<>();
        context.put("mill.order", new Order(4));
        context.put("mill.sack", new Sack(405, 550));
        context.put("mill.place", 2);
        System.out.println(new Miller().serve(context));
    }
}
