package green;

/** A heap of earth. */
public class Heap {
    private int left;

    public void tip(int amount) {
        left += amount;
    }

    int take(int amount) {
        if (left == 0) {
            return 0;
        }
        if (amount > left) {
            throw new IllegalStateException("only " + left + " left");
        }
        left -= amount;
        return amount;
    }
}
