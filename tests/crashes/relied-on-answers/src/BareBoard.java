package lodge;

/** One that is still empty. */
public class BareBoard implements Board {
    @Override
    public Hook hook() {
        return null;
    }

    @Override
    public Shelf shelf() {
        return null;
    }
}
