package stand;

import java.util.List;
import kiosk.Setting;
import kiosk.SettingsReader;

public class Stand {

    @Setting(name = "port")
    private int port;

    @SuppressWarnings("rawtypes")
    @Setting(name = "hosts", required = true)
    private List hosts;

    public static void main(String[] args) {
        System.out.println(new SettingsReader(new Stand()).kindOf("hosts"));
    }
}
