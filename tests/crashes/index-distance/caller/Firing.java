package pottery;

import kiln.HeatMap;

public class Firing {
    public static void main(String[] arguments) {
        System.out.println(new HeatMap().degreesAt(661, 685));
    }
}
