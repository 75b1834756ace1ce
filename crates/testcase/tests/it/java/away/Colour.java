package away;

public enum Colour {
    RED, GREEN { @Override public int depth() { return 2; } };
    public int weight;
    public int depth() { return 1; }
}
