package gauge;

/** The last samples of a gauge, and their mean. */
public class Samples {
    private final double[] values = new double[40];
    private int count;

    /** The bug: nothing makes room for new samples. */
    public void add(double value) {
        values[count] = value;
        count++;
    }

    public double mean() {
        double sum = 0;
        for (int place = 0; place < count; place++) {
            sum += values[place];
        }
        return count == 0 ? 0 : sum / count;
    }
}
