package post;

/** Things that are sent. */
public sealed interface Parcel {
    /** A letter of some grams. */
    record Letter(int grams) implements Parcel {}

    /** A box with the edges of its sides. */
    record Box(int[] edges, String town) implements Parcel {}
}
