package meters;

/** Boards of the usual kinds. */
public final class Boards {
    private Boards() {}

    public static Board dotted(String across, String up, Readings readings, Face face, boolean grid) {
        if (face == null) {
            throw new IllegalArgumentException("A board has a face");
        }
        Scale acrossScale = new Scale(across);
        Scale upScale = new Scale(up);
        Board board = new Board(readings, acrossScale, upScale, null);
        board.setPainter(new Painter());
        return board;
    }
}
