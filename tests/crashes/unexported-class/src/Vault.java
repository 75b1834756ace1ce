package vault;

import javax.xml.crypto.dsig.TransformService;

/** Keeps signed letters. All classes of the JDK that are transforms lie in packages that it hides. */
public class Vault {
    private final int[] shelves = new int[4];

    /** The bug: shelves are counted from 0. */
    public int shelve(TransformService transform, int shelf) {
        if (transform == null || shelf < 1) {
            return 0;
        }
        return shelves[shelf];
    }
}
