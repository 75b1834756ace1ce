package kitchen;

public interface Dish {
    String name();
}
