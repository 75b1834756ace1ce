package mill;

/** A mill that grinds approved recipes only. */
public class Mill {
    private static final int APPROVED = 0x23111fd3;

    /** The bug: a delivery may have no sacks at all. */
    public static int grind(String recipe, int weight, int sacks) {
        if (digest(recipe) != APPROVED) {
            throw new IllegalArgumentException("Not approved");
        }
        return weight / sacks;
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
