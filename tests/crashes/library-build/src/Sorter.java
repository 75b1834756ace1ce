package plant;

import belt.Belt;

/** Puts crates on a belt. */
public class Sorter {
    private final Belt belt = new Belt(3);

    public int sort(int crates) {
        int lanes = crates / 2;
        return belt.carry(lanes);
    }
}
