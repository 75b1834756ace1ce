package crew;

import plant.Sorter;

public class Shift {
    public static void main(String[] arguments) {
        System.out.println(new Sorter().sort(12));
    }
}
