package well;

/** Lifts water, once it is connected to its power station. */
public class Pump {
    private final String name;
    private final int[] strokes;

    public Pump(String name, int strokes) {
        this.name = name;
        this.strokes = new int[Math.max(1, Math.min(strokes, 64))];
    }

    public int lift(int height) {
        connect();
        if (!hasPower()) {
            throw new IllegalStateException("too little power for " + name);
        }
        return share(height);
    }

    /** No machine but those of the works gets through here. */
    protected void connect() {
        Grid.reach(name);
    }

    protected boolean hasPower() {
        return Grid.voltage(name) > 200;
    }

    /** The bug: a height may be more than all strokes together can do. */
    private int share(int height) {
        for (int stroke = 0; height > 0; stroke++) {
            strokes[stroke] = Math.min(height, 10);
            height -= 10;
        }
        return strokes.length;
    }
}
