package table;

import report.Rows;
import report.Totals;

public class Table implements Rows {
    private int left = 2;

    public static void main(String[] arguments) {
        System.out.println(new Totals().unit(new Table()));
    }

    @Override
    public boolean next() {
        return left-- > 0;
    }

    @Override
    public String text() {
        return "12kg";
    }
}
