package post;

import post.Parcel.Box;
import post.Parcel.Letter;

/** Prices in cents. */
public class Tariff {
    private final String own;

    public Tariff(String own) {
        this.own = own;
    }

    /** The bug: a box may have been measured once only. */
    public int price(Parcel parcel) {
        return switch (parcel) {
            case Letter letter when letter.grams() > 50 -> 160;
            case Letter letter -> 85;
            case Box(int[] edges, String town) when town.equals(own) -> edges[0];
            case Box(int[] edges, String town) -> edges[0] + 2 * edges[1];
        };
    }
}
