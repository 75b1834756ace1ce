package tariff;

/** A ticket for some zones. */
public class Ticket {
    private final int zones;

    public Ticket(int zones) {
        this.zones = zones;
    }

    /** The bug: there are three zones, 0 to 2, and nobody checks. */
    public String price() {
        int cents = 0;
        for (int zone = 0; zone < zones; zone++) {
            cents += Rates.cents(zone);
        }
        return cents + " cents";
    }
}
