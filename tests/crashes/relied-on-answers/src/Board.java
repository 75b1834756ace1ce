package lodge;

public interface Board {
    Hook hook();

    Shelf shelf();
}
