package yard;

import intake.Importer;

public class Delivery {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new Importer().add("bolts"));
    }
}
