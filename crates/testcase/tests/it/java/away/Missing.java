package away;

/** Compiled, and then taken from the class path. */
public class Missing {
    public int gone;
    public void go() {}
}
