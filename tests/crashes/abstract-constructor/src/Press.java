package prints;

/** A press; what it prints on, other programs say. */
public abstract class Press {
    private final int[] rolls;

    protected Press(String name, int rolls) {
        this.rolls = mount(name.trim(), rolls);
    }

    protected abstract int width();

    private int[] mount(String name, int count) {
        return name.startsWith("rotary") ? fresh(count - width()) : new int[1];
    }

    /** The bug: a wide press needs more rolls than it may have. */
    private static int[] fresh(int count) {
        return new int[count];
    }

    public int rolls() {
        return rolls.length;
    }
}
