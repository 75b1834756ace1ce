package office;

import ledger.Printer;
import ledger.Style;

public class Closing {
    public static void main(String[] arguments) {
        Style style = Style.PLAIN.withRuledTitle(true).withFoldedEntry(true).withWidthInner(72);
        System.out.println(new Printer(style).print("Paper and ink"));
    }
}
