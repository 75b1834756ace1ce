package station;

import kiosk.Panel;

public class Hall {
    public static void main(String[] arguments) {
        Panel panel = new Panel("night") {
            @Override
            protected String base() {
                return null;
            }

            @Override
            protected boolean isStrict() {
                return true;
            }
        };
        System.out.println(panel.value("colour"));
    }
}
