package garden;

/** The seasons as labels on seed bags have them. */
public final class Season {
    private Season() {}

    /** The bug: four letters that are not {@code warm} are looked at as if they were six. */
    public static boolean isWarm(String label) {
        if (label == null) {
            return false;
        }
        switch (label.length()) {
            case 4: {
                if (label.charAt(0) == 'w') {
                    return label.charAt(1) == 'a' && label.charAt(2) == 'r' && label.charAt(3) == 'm';
                }
            }
            case 6: {
                if (label.charAt(0) == 's') {
                    return label.charAt(1) == 'u' && (label.charAt(2) == 'm' || label.charAt(2) == 'M')
                            && label.charAt(3) == 'm' && label.charAt(4) == 'e' && label.charAt(5) == 'r';
                }
            }
        }
        return false;
    }
}
