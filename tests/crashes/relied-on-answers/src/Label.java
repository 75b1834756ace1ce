package lodge;

public interface Label {
    Ink ink();

    String text();
}
