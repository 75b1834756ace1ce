package village;

import mill.Miller;

public class Market {
    public static void main(String[] arguments) {
        System.out.println(new Miller().order("rye 12, oats 3, sea salt", 60, 0));
    }
}
