package kitchen;

/** An order that handlers may take over while they prepare it. */
public class Order {
    private final Book book;
    private Ticket ticket;

    public Order(Book book) {
        this.book = book;
    }

    public void restart(Ticket ticket) {
        this.ticket = ticket;
    }

    public Dish serve() {
        if (ticket == null) {
            throw new IllegalStateException("No ticket");
        }
        String course = ticket.next();
        if (course.isEmpty()) {
            return null;
        }
        Handler handler = book.handler(course);
        if (handler == null) {
            throw new IllegalArgumentException("Nobody prepares " + course);
        }
        Dish dish = handler.prepare(this);
        if (ticket.isDone()) {
            ticket.next();
        }
        return dish;
    }
}
