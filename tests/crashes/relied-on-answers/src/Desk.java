package lodge;

/** Where guests of a house are met. */
public class Desk {
    private final House house;

    public Desk(House house) {
        this.house = house;
    }

    public String welcome(String guest) {
        String state = house.porter().board().hook().key().label().ink().colour()
                + house.porter().board().shelf().box().lock().spring().metal().name()
                + house.porter().board().shelf().box().lock().key().label().text()
                + house.porter().board().shelf().label().ink().colour()
                + house.porter().lamp().wick().thread().fibre().plant()
                + house.kitchen().stove().plate().pot().lid().metal().name();
        return state + surname(guest);
    }

    /** The bug: not every guest gives a first name. */
    private static String surname(String guest) {
        return guest.substring(0, guest.indexOf(','));
    }
}
