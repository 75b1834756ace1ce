package tariffs;

/** Rates by zone. */
final class Rates {
    private Rates() {
    }

    static int rate(int zone, int weight) {
        return zone < 710 ? 4 : bulky(zone, weight);
    }

    /** The bug: one zone has a gap between its weights. */
    private static int bulky(int zone, int weight) {
        if (zone == 7213) {
            if (weight > 9360 && weight < 9365) {
                throw new IllegalArgumentException("no rate for " + weight);
            }
        }
        return 9;
    }
}
