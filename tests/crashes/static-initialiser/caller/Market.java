package town;

import scales.Units;

public class Market {
    public static void main(String[] arguments) {
        System.out.println(Units.grams("pound"));
    }
}
