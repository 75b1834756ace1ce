package station;

import relay.Relay;
import relay.Settings;

public class Station {
    public static void main(String[] arguments) {
        Settings settings = Settings.builder()
            .put("relay.station.name", "north")
            .put("relay.station.port", "25")
            .put("relay.delivery.retries", "3")
            .put("relay.delivery.secure", "true")
            .put("relay.queue.size", "100")
            .build();
        System.out.println(new Relay(settings).label(null));
    }
}
