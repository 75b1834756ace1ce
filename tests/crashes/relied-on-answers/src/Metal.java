package lodge;

public interface Metal {
    String name();
}
