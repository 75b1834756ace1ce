package lodge;

public interface Ink {
    String colour();
}
