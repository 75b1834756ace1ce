package office;

import mirror.Mirror;

public class Nightly {
    public static void main(String[] arguments) throws Exception {
        Mirror mirror = new Mirror();
        mirror.setTarget("releases/4.2");
        mirror.setLink("latest");
        System.out.println(mirror.drop());
    }
}
