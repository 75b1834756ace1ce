package away;

public abstract class Form<T> implements Comparable<Form<T>> {
    public T held;
    public Form() {}
    public abstract void shape();
    public T get() { return held; }
    public void set(T value) { held = value; }
    @Override public int compareTo(Form<T> other) { return 0; }
}
