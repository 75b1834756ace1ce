package kitchen;

/** Prepares one course. Each kitchen brings its own. */
public interface Handler {
    Dish prepare(Order order);
}
