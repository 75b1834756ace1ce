package away;

/** Between two classes of another package. */
public class Middle extends home.Base {
    public Middle() {}
}
