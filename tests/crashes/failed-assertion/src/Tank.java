package tank;

/** Holds at most ten litres. */
public class Tank {
    private int litres;

    public void fill(int more) {
        litres += more;
        assert litres <= 10 : "overflow by " + (litres - 10);
    }
}
