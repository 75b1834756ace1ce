package meters;

/** Draws the readings of a board. */
public class Painter {
    public double margin() {
        return 0.5;
    }
}
