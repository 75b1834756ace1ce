package counter;

import post.Parcel;
import post.Tariff;

public class Counter {
    public static void main(String[] arguments) {
        System.out.println(new Tariff("Utrecht").price(new Parcel.Box(new int[] {30}, "Delft")));
    }
}
