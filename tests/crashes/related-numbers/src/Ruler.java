package measures;

/** Lays spans side by side. */
public class Ruler {
    private final int left;
    private final int right;

    public Ruler(int left, int right) {
        this.left = left;
        this.right = right;
    }

    public double fit(double from, double to) {
        if (left + right != 1000 || left < right) {
            return 0;
        }
        return from < to ? length(from, to) : 0;
    }

    private double length(double from, double to) {
        return new Span(from, to).length() / left;
    }
}
