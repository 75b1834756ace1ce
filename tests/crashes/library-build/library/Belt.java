package belt;

/** The newer build: crates are counted before the belt moves. */
public class Belt {
    private final int places;
    private int carried;

    public Belt(int places) {
        this.places = places;
    }

    public int carry(int crates) {
        carried += crates;
        return move(carried);
    }

    private int move(int crates) {
        if (crates > places) {
            throw new Jam(crates - places);
        }
        return places - crates;
    }

    public static class Jam extends RuntimeException {
        private static final long serialVersionUID = 1;

        Jam(int surplus) {
            super(surplus + " too many");
        }
    }
}
