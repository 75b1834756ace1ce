package loom;

/** Weaves cloth. */
public class Weaver {
    /** The bug: there may be no width at all. */
    public int weave(Loom loom, int length, int width) {
        if (!loom.isReady()) {
            throw new IllegalStateException("The loom is not ready");
        }
        return length / width;
    }
}
