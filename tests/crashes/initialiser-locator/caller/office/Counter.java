package office;

import tariff.Platform;
import tariff.Ticket;

public class Counter {
    public static void main(String[] arguments) {
        Platform.setCurrency(() -> "EUR");
        System.out.println(new Ticket(2).price());
        System.out.println(new Ticket(4).price());
    }
}
