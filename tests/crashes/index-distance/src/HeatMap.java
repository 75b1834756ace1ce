package kiln;

/** How warm the floor of a kiln is, from a table by the distance from the burner. */
public class HeatMap {
    private final int[] degrees = new int[8192];

    public HeatMap() {
        for (int i = 0; i < degrees.length; i++) {
            degrees[i] = 900 - i / 10;
        }
    }

    /** The floor repeats itself, and burners stand askew: both measures matter for both distances. */
    public int degreesAt(int column, int row) {
        int x = column & 1023;
        int y = row & 1023;
        int across = Math.abs(3 * x - 2 * y - 611);
        int along = Math.abs(5 * y + x - 4087);
        return degrees[across + along - 9];
    }
}
