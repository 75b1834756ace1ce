package subject;

/** Methods inside one another. */
public final class Nested {
    private Nested() {}

    public static int outer(int x) {
        return x < 0 ? inner(x) : middle(x);
    }

    public static int middle(int x) {
        return inner(x) + 1;
    }

    public static int inner(int x) {
        return x == 5 ? 1 : x;
    }
}
