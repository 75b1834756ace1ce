package meters;

/** Readings on two scales. */
public class Board {
    private final Readings readings;
    private final Scale across;
    private final Scale up;
    private Painter painter;

    public Board(Readings readings, Scale across, Scale up, Painter painter) {
        this.readings = readings;
        this.across = across;
        this.up = up;
        this.painter = painter;
        if (across != null) {
            across.setBoard(this);
        }
        if (up != null) {
            up.setBoard(this);
        }
    }

    public void setPainter(Painter painter) {
        this.painter = painter;
    }

    /** The bug: a scale is fitted while the board may have no painter yet. */
    public double extent(Scale scale) {
        double extent = 0;
        if (readings != null) {
            for (int index = 0; index < readings.count(); index++) {
                extent = Math.max(extent, scale == across ? index : readings.reading(index));
            }
            extent += painter.margin();
        }
        return extent;
    }
}
