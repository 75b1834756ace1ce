package parcels;

/** Reads what a scanner sends for one parcel: {@code CITY;GRAMSg}. */
public class LabelReader {
    public Label read(String scan) {
        int separator = scan.indexOf(';');
        if (separator < 0) {
            throw new IllegalArgumentException("No separator in scan: " + scan);
        }
        String city = scan.substring(0, separator);
        return new Label(city, grams(scan.substring(separator + 1)));
    }

    /** The bug: a scan that ends right after its separator has no unit to cut off. */
    private int grams(String weight) {
        String number = weight.substring(0, weight.length() - 1);
        return Integer.parseInt(number);
    }
}
