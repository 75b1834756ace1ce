package quay;

import harbour.Bridge;
import harbour.Rope;

public class Ferry {
    public static void main(String[] arguments) {
        Bridge bridge = new Bridge(new Rope(find("a")), new Rope(find("b")), new Rope(find("c")));
        System.out.println(bridge.sway(0));
    }

    private static String find(String start) {
        for (int number = 10;; number++) {
            try {
                return new Rope(start + number).code();
            } catch (IllegalArgumentException wrong) {
                continue;
            }
        }
    }
}
