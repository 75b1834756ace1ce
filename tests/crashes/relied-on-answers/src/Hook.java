package lodge;

public interface Hook {
    Key key();

    Label label();
}
