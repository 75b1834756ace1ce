package gates;

/** Shows which gates are open. */
public class Board {
    private final StringBuilder shown = new StringBuilder();

    /** The bug: a sign may be empty. */
    public void show(Gate gate) {
        String line = gate.line();
        shown.append(line.charAt(0));
    }
}
