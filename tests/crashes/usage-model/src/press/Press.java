package press;

/** A press that prints only after the steps of its manual, in their order. */
public class Press {
    private static final int READY = 0xf9e805ba;

    private int steps = 0x811c9dc5;

    public void ink() {
        note(1);
    }

    public void heat() {
        note(2);
    }

    public void clamp() {
        note(3);
    }

    public void align() {
        note(4);
    }

    public void vent() {
        note(5);
    }

    public void rinse() {
        note(6);
    }

    public void seal() {
        note(7);
    }

    public void level() {
        note(8);
    }

    /** A digest, so that wrong steps look equally wrong however many of them are right. */
    private void note(int step) {
        steps = (steps ^ step) * 0x01000193;
    }

    /** The bug: a job may be for no copies at all. */
    public int print(Job job) {
        if (steps != READY) {
            throw new IllegalStateException("Follow the manual");
        }
        return job.sheets() / job.copies();
    }
}
