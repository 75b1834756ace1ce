package mill;

/** A mill that grinds approved recipes only. */
public class Mill {
    private static final int APPROVED = 0x23111fd3;

    private int sacks;

    /** The bug: a delivery may have no sacks at all. */
    public int grind(String recipe, int weight) {
        if (digest(recipe) != APPROVED) {
            throw new IllegalArgumentException("Not approved");
        }
        return weight / sacks;
    }

    public void deliver(int more) {
        sacks += more;
    }

    /** A digest, so that wrong recipes look equally wrong however near they are. */
    private static int digest(String recipe) {
        int digest = 0x811c9dc5;
        for (int i = 0; i < recipe.length(); i++) {
            digest = (digest ^ recipe.charAt(i)) * 0x01000193;
        }
        return digest;
    }
}
