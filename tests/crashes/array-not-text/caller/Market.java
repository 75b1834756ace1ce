package market;

import scale.Scale;

public class Market {
    public static void main(String[] arguments) {
        System.out.println(new Scale().weigh("x1"));
    }
}
