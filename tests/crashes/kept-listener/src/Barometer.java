package station;

/** Told of pressures once it is complete: whoever tells it sooner finds nothing to write to. */
public class Barometer {
    private final int[] history;
    private int count;

    public Barometer(Feed feed, int size) {
        feed.subscribe(new Listener() {
            @Override
            public void reading(int pressure) {
                record(pressure);
            }
        });
        history = new int[size];
    }

    private void record(int pressure) {
        history[count++ % history.length] = pressure;
    }
}
