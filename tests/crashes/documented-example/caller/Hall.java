package market;

import tills.Till;

public class Hall {
    public static void main(String[] arguments) {
        System.out.println(new Till(7340119).total("Tiel:03:77A9"));
    }
}
