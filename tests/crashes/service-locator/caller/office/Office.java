package office;

import press.Printer;
import press.Services;
import press.Spool;

public class Office {
    public static void main(String[] arguments) {
        Spool spool = title -> { };
        Services.install(name -> name.equals(Spool.class.getName()) ? spool : null);
        System.out.println(new Printer().print("letter: dear all"));
        System.out.println(new Printer().print("leaflet"));
    }
}
