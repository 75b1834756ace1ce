package parking;

public final class Meter {
    private final Tariff tariff;
    private final String place;

    public Meter(Settings settings) {
        tariff = settings.tariff();
        if (tariff == null) {
            throw new IllegalArgumentException("no tariff for " + settings);
        }
        place = settings.toString();
    }

    int charge(int minutes) {
        return tariff.cost(minutes);
    }

    @Override
    public String toString() {
        return place;
    }
}
