package survey;

/** Two things that belong together. */
public final class Pair<A, B> {
    private final Object[] both;

    public Pair(A first, B second) {
        both = new Object[] {first, second};
    }

    @SuppressWarnings("unchecked")
    public A first() {
        return (A) both[0];
    }

    @SuppressWarnings("unchecked")
    public B second() {
        return (B) both[1];
    }
}
