package farm;

import mill.Mill;

public class Harvest {
    public static void main(String[] arguments) {
        new Mill().grind("rye", 17);
    }
}
