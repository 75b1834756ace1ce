package depot;

import parcels.Chute;

public class Evening {
    public static void main(String[] arguments) {
        System.out.println(new Chute().lane(22, 63, 111));
    }
}
