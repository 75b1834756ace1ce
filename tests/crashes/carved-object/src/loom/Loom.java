package loom;

/** A loom that weaves once its threads are set. */
public final class Loom {
    private static final int READY = 0xd2b8df0c;

    private int threads = 0x811c9dc5;

    public Loom thread(int colour) {
        threads = (threads ^ colour) * 0x01000193;
        return this;
    }

    public boolean isReady() {
        return threads == READY;
    }
}
