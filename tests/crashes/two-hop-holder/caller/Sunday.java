package town;

import parking.Equipment;
import parking.Gate;
import parking.Meter;
import parking.Settings;
import parking.Tariff;

public class Sunday {
    public static void main(String[] arguments) {
        Settings settings = new Settings();
        settings.setStreet("Harbour Street");
        settings.setTariff(new Tariff(0, 0));
        Equipment equipment = new Equipment();
        equipment.mount(new Meter(settings));
        Gate gate = new Gate();
        gate.equip(equipment);
        System.out.println(gate.leave(90));
    }
}
