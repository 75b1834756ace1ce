package pumps;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Pumps at the pressure of a valve. A valve that does not fit is logged. */
public class Pump {
    private static final Logger LOG = LogManager.getLogger(Pump.class);

    private int pressure;

    public void turn(int valve) {
        try {
            pressure += share(valve);
        } catch (ArithmeticException failure) {
            LOG.error("valve {}", valve, failure);
        }
    }

    public int pressure() {
        return pressure;
    }

    private static int share(int valve) {
        return 120 / (valve - 7);
    }
}
