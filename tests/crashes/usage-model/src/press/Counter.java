package press;

/** Takes orders. */
public class Counter {
    private int printed;

    public int order(Press press, Job job) {
        printed += press.print(job);
        return printed;
    }
}
