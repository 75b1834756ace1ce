package weather;

/** Shows a temperature as a bar. */
public class Display {
    private final char[] bar = new char[70];

    public String show(Reading reading) {
        return new String(bar, 0, mark(reading.tenths() / 10));
    }

    /** The bug: days may be hotter than the bar is long. */
    private int mark(int degrees) {
        int length = Math.max(degrees, 0);
        bar[length] = '|';
        return length;
    }
}
