package depot;

import parcels.Locker;

public class Morning {
    public static void main(String[] arguments) {
        System.out.println(new Locker().door(122, 363, 711));
    }
}
