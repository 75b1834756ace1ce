package lodge;

/** One that is still empty. */
public class BarePlate implements Plate {
    @Override
    public Metal metal() {
        return null;
    }

    @Override
    public Pot pot() {
        return null;
    }
}
