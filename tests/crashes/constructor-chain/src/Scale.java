package meters;

/** A scale that belongs to one board. */
public class Scale {
    private final String label;
    private Board board;
    private double upper = 1;
    private boolean fitted = true;

    public Scale(String label) {
        this.label = label;
    }

    public void setFitted(boolean fitted) {
        this.fitted = fitted;
    }

    public void setBoard(Board board) {
        this.board = board;
        configure();
    }

    public void configure() {
        if (fitted) {
            fit();
        }
    }

    protected void fit() {
        if (board == null) {
            return;
        }
        upper = Math.max(1, board.extent(this));
    }

    @Override
    public String toString() {
        return label + " to " + upper;
    }
}
