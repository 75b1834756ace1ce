package mint;

/** What has a price on a label. */
public interface Priced {
    String label();

    default int price(int count) {
        return count * parse(label());
    }

    /** The bug: labels of some kinds have no number. */
    static int parse(String label) {
        return Integer.parseInt(label.substring(label.indexOf('=') + 1).trim());
    }
}
