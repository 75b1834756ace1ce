package parking;

/** What stands at a gate. */
public final class Equipment {
    private Meter meter;
    private String barrier;
    private int cameras;

    public void mount(Meter meter) {
        this.meter = meter;
    }

    public void barrier(String barrier) {
        this.barrier = barrier;
    }

    public void cameras(int cameras) {
        this.cameras = cameras;
    }

    Meter meter() {
        if (meter == null) {
            throw new IllegalStateException("no meter, but " + barrier + " and " + cameras + " cameras");
        }
        return meter;
    }
}
