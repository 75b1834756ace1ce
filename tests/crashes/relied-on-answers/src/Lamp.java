package lodge;

public interface Lamp {
    Wick wick();
}
