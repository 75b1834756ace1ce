package cart;

public class Parcel {
    private final int grams;

    public Parcel(int grams) {
        this.grams = grams;
    }

    public int grams() {
        return grams;
    }
}
