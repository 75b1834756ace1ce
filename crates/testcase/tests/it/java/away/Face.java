package away;

public interface Face extends Runnable {
    int CONSTANT_OF_FACE = 1;
    static int ofFace() { return 1; }
    default int usual() { return 2; }
    class Member { public int m; }
}
