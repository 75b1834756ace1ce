package market;

import scales.Scale;

public class Market {
    public static void main(String[] arguments) {
        new Scale().weigh("apples");
    }
}
