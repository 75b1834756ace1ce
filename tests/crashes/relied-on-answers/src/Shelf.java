package lodge;

public interface Shelf {
    Label label();

    Box box();
}
