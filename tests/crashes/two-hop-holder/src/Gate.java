package parking;

public final class Gate {
    private Meter meter;

    public void equip(Equipment equipment) {
        meter = equipment.meter();
    }

    public int leave(int minutes) {
        if (meter == null) {
            throw new IllegalStateException("not equipped");
        }
        return meter.charge(minutes);
    }
}
