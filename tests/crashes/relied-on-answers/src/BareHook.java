package lodge;

/** One that is still empty. */
public class BareHook implements Hook {
    @Override
    public Key key() {
        return null;
    }

    @Override
    public Label label() {
        return null;
    }
}
