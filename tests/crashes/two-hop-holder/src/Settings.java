package parking;

/** All that a meter must know. */
public final class Settings {
    private Tariff tariff;
    private String street;
    private String district;
    private int spaces;
    private boolean lit;

    public void setTariff(Tariff tariff) {
        this.tariff = tariff;
    }

    public void setStreet(String street) {
        this.street = street;
    }

    public void setDistrict(String district) {
        this.district = district;
    }

    public void setSpaces(int spaces) {
        this.spaces = spaces;
    }

    public void setLit(boolean lit) {
        this.lit = lit;
    }

    Tariff tariff() {
        return tariff;
    }

    @Override
    public String toString() {
        return street + ", " + district + ": " + spaces + (lit ? ", lit" : "");
    }
}
