package bar;

import brewery.Kettle;

public class Evening {
    public static void main(String[] arguments) {
        Kettle kettle = new Kettle();
        kettle.prime(40);
        kettle.start();
        System.out.println(kettle.pour(0));
    }
}
