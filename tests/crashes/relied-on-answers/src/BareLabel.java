package lodge;

/** One that is still empty. */
public class BareLabel implements Label {
    @Override
    public Ink ink() {
        return null;
    }

    @Override
    public String text() {
        return null;
    }
}
