package harbour;

/** Sums up the water levels of a tide, from a table with one level for each minute. */
public class TideTable {
    private final int[] levels = new int[8192];

    public TideTable() {
        for (int minute = 0; minute < levels.length; minute++) {
            levels[minute] = 40 + minute % 720;
        }
    }

    /** Buoys repeat themselves. The nearer one is to the fairway, the longer the tide runs. */
    public long flow(int east, int north) {
        int x = east & 1023;
        int y = north & 1023;
        int out = Math.abs(3 * x - 1833);
        int along = Math.abs(5 * y - 1935);
        int last = 8206 - out - along;
        long sum = 0;
        for (int minute = 0; minute <= last; minute += 4) {
            sum += levels[minute];
        }
        return sum;
    }
}
