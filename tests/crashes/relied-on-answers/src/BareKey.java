package lodge;

/** One that is still empty. */
public class BareKey implements Key {
    @Override
    public Label label() {
        return null;
    }

    @Override
    public String shape() {
        return null;
    }
}
