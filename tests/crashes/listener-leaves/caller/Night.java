package night;

import hotel.Desk;
import hotel.Guest;

public class Night implements Guest {
    public static void main(String[] arguments) {
        Desk desk = new Desk();
        desk.arrive(new Night());
        desk.tell("fire");
    }

    @Override
    public void hear(Desk desk, String news) {
        desk.arrive(this);
    }
}
