package dials;

/** Is told when somebody turns a dial. */
public interface Listener {
    void turned(int by);
}
