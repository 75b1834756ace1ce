package evening;

import gates.Gate;

public class Evening {
    public static void main(String[] arguments) {
        new Gate().pass(12);
    }
}
