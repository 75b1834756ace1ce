package scale;

/** Looks weights up by a code such as {@code c20}. */
public class Scale {
    private final int[] weights = {10, 20, 50};

    public int weigh(String code) {
        int row = code.charAt(0) - 'a';
        int factor = code.length();
        return weights[row] * factor;
    }
}
