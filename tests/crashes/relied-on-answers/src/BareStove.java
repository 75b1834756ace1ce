package lodge;

/** One that is still empty. */
public class BareStove implements Stove {
    @Override
    public Plate plate() {
        return null;
    }

    @Override
    public Metal metal() {
        return null;
    }
}
