package lodge;

public interface Porter {
    Board board();

    Lamp lamp();
}
