package lodge;

public interface Key {
    Label label();

    String shape();
}
