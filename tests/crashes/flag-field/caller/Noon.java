package depot;

import parcels.Scale;

public class Noon {
    public static void main(String[] arguments) {
        Scale scale = new Scale();
        scale.calibrate(252, 4313, 71);
        System.out.println(scale.rate(40));
    }
}
