package woods;

public class Fruit {
    private final int weight;

    public Fruit(int weight) {
        this.weight = weight;
    }

    int weight() {
        return weight;
    }
}
