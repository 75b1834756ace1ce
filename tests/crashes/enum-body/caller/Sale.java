package mint;

public class Sale {
    public static void main(String[] arguments) {
        System.out.println(Coin.RARE.worth(3));
    }
}
