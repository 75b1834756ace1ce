package office;

import meters.Boards;
import meters.Face;
import meters.FixedReadings;

public class ControlRoom {
    public static void main(String[] arguments) {
        FixedReadings readings = new FixedReadings(new double[] {0.5, 3.25, 2});
        System.out.println(Boards.dotted("hour", "bar", readings, Face.FLAT, true));
    }
}
