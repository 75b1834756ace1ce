package report;

/** Reads rows to their end: whoever has always one more is never asked for the last. */
public class Totals {
    public String unit(Rows rows) {
        String last = null;
        while (rows.next()) {
            last = rows.text();
        }
        if (last == null) {
            return "";
        }
        return last.substring(last.indexOf(' '));
    }
}
