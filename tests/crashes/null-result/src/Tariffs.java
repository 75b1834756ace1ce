package post;

/** The tariffs of parcels, by what they weigh and how far they go. */
public class Tariffs {
    public int price(int grams, int zone) {
        return tariff(grams, zone).length() * zone;
    }

    /** The bug: the heaviest parcel of the light class has no tariff. */
    private String tariff(int grams, int zone) {
        int units = 3 * grams + zone;
        if (units > 40) {
            if (2 * units - 11 == 5191) {
                return null;
            }
            return "parcel";
        }
        return "letter";
    }
}
