package machine;

import config.Settings;

public class Start {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new Settings("<server><port/></server>").port());
    }
}
