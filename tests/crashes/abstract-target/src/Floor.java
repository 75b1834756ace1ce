package tiles;

/** A floor of some shape; the program has no shape of its own. */
public abstract class Floor {
    private int spare;

    protected abstract int side();

    public void setSpare(int spare) {
        this.spare = spare;
    }

    public int rows(int area) {
        return spare + fit(area - spare);
    }

    /** The bug: a floor may have been measured with a side of nothing. */
    private int fit(int area) {
        return area / side();
    }
}
