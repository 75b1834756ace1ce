package post;

import org.apache.log4j.Logger;

/** Sorts letters by the first character of their town. A letter without a town is logged. */
public class Post {
    private static final Logger LOG = Logger.getLogger(Post.class);

    private final int[] letters = new int[65536];

    public void sort(String town) {
        try {
            letters[box(town)]++;
        } catch (RuntimeException failure) {
            LOG.warn("no box", failure);
        }
    }

    public int letters(char box) {
        return letters[box];
    }

    private static int box(String town) {
        return town.trim().charAt(0);
    }
}
