package lodge;

public interface Lock {
    Key key();

    Spring spring();
}
