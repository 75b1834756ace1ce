package home;

public class Base {
    int near;
    protected int guarded;
    public Base() {}
    Base(int i) {}
    protected Base(long l) {}
    private Base(double d) {}
    void nearCall() {}
    protected void guardedCall() {}
    private void ownCall() {}
}
