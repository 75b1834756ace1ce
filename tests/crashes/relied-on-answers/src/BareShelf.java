package lodge;

/** One that is still empty. */
public class BareShelf implements Shelf {
    @Override
    public Label label() {
        return null;
    }

    @Override
    public Box box() {
        return null;
    }
}
