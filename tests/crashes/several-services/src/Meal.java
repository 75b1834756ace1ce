package school;

public interface Meal {
    String dish();
}
