package dials;

/** A dial with as many places as it is made with. */
public class Dial {
    private final int[] ticks;
    private int place;

    final Listener listener =
            new Listener() {
                @Override
                public void turned(int by) {
                    place += by;
                    tick();
                }
            };

    public Dial(int places) {
        ticks = new int[places];
    }

    public Listener listener() {
        return listener;
    }

    /** The bug: a dial does not go round. */
    private void tick() {
        ticks[place]++;
    }
}
