package parcels;

/** What is printed on a parcel. */
public final class Label {
    private final String city;
    private final int grams;

    public Label(String city, int grams) {
        this.city = city;
        this.grams = grams;
    }

    public String city() {
        return city;
    }

    public int grams() {
        return grams;
    }
}
