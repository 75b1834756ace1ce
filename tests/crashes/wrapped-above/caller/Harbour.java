package harbour;

import tide.Station;

public class Harbour {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new Station().poll("17:"));
    }
}
