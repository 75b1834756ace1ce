package away;

public class Orphan extends Missing {
    public Orphan() {}
    public void stay() {}
}
