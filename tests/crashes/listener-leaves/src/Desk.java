package hotel;

import java.util.ArrayList;
import java.util.List;

/** Tells news to the guests who are here. */
public class Desk {
    private final List<Guest> guests = new ArrayList<>();

    public void arrive(Guest guest) {
        guests.add(guest);
    }

    public void leave(Guest guest) {
        guests.remove(guest);
    }

    public void tell(String news) {
        for (Guest guest : guests) {
            guest.hear(this, news);
        }
    }
}
