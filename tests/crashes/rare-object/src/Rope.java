package harbour;

/** A rope with a code whose check number must be right. */
public final class Rope {
    private final String code;

    public Rope(String code) {
        int sum = 0;
        for (int at = 0; at < code.length(); at++) {
            sum = (sum * 7 + code.charAt(at)) % 61;
        }
        if (code.length() < 3 || sum != 17) {
            throw new IllegalArgumentException("wrong check number");
        }
        this.code = code;
    }

    public String code() {
        return code;
    }
}
