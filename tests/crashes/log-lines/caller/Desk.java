package station;

import lockers.Lockers;

public class Desk {
    public static void main(String[] arguments) {
        System.out.println(new Lockers().open("KX-4471/drum"));
    }
}
