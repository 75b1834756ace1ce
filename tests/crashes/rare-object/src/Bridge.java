package harbour;

/** A bridge on three ropes. */
public final class Bridge {
    private final int slack;

    public Bridge(Rope left, Rope middle, Rope right) {
        String first = left.code();
        String second = middle.code();
        String third = right.code();
        if (first.equals(second) || second.equals(third) || third.equals(first)) {
            throw new IllegalArgumentException("one rope twice");
        }
        slack = first.length() + second.length() + third.length();
    }

    /** The bug: no wind at all. */
    public int sway(int wind) {
        return slack / wind;
    }
}
