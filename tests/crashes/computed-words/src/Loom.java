package looms;

import java.util.List;

/** The words of orders are nowhere in the program: they are computed, and read off the trace. */
public class Loom {
    public int weave(String orders) {
        List<Integer> steps = new Orders().read(orders);
        int rows = 0;
        for (int i = 1; i < steps.size(); i++) {
            rows += join(steps.get(i - 1), steps.get(i));
        }
        return rows;
    }

    private int join(int first, int second) {
        return 600 / ((first + second) % 3);
    }
}
