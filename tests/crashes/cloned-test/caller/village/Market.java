package village;

import mill.Mill;
import mill.Miller;

public class Market {
    public static void main(String[] arguments) {
        System.out.println(new Miller().order(new Mill(), "rye 12, oats 3, sea salt", 60));
    }
}
