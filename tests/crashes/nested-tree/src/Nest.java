package woods;

public class Nest {
    public int eggs() {
        return 3;
    }
}
