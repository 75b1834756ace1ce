package pump;

import tank.Tank;

public class Pump {
    public static void main(String[] arguments) {
        new Tank().fill(12);
    }
}
