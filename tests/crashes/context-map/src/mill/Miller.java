package mill;

import java.util.Map;

/** Serves orders from a context that other parts of the program fill. */
public class Miller {
    @SuppressWarnings("rawtypes")
    public int serve(Map context) {
        Order order = (Order) context.get("mill.order");
        Sack sack = (Sack) context.get("mill.sack");
        Integer place = (Integer) context.get("mill.place");
        if (order == null || sack == null || place == null) {
            return 0;
        }
        return order.amount() * sack.grade(place);
    }
}
