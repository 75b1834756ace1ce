package dining;

import kitchen.Book;
import kitchen.Dish;
import kitchen.Handler;
import kitchen.Order;
import kitchen.Ticket;

public class Evening implements Book, Handler {
    public static void main(String[] arguments) {
        Order order = new Order(new Evening());
        order.restart(new Ticket("soup", "fish"));
        System.out.println(order.serve());
    }

    @Override
    public Handler handler(String course) {
        return this;
    }

    @Override
    public Dish prepare(Order order) {
        order.restart(null);
        return null;
    }
}
