package plant;

import pumps.Pump;

public class Plant {
    public static void main(String[] arguments) {
        new Pump().turn(7);
    }
}
