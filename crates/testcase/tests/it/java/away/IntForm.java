package away;

/** Bridges for erased and for covariant types. */
public class IntForm extends Form<Integer> implements Cloneable {
    public IntForm() {}
    @Override public void shape() {}
    @Override public Integer get() { return 1; }
    @Override public void set(Integer value) {}
    @Override public IntForm clone() { return this; }
}
