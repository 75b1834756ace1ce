package tide;

/** Asks its gauge and tells which reading was wrong. */
public class Station {
    private final Gauge gauge = new Gauge();
    private int highest;

    public int poll(String reading) throws StationFailure {
        try {
            highest = Math.max(highest, gauge.level(reading));
        } catch (RuntimeException failure) {
            throw new StationFailure("wrong reading " + reading, failure);
        }
        return highest;
    }
}
