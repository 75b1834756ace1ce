package desk;

public class Desk {
    private final Services services;

    public Desk(Services services) {
        this.services = services;
    }

    public String greeting() {
        Clock clock = services.find(Clock.class);
        int hour = clock.hour();
        Names names = services.find(Names.class);
        return "Hello " + names.on(hour).trim();
    }
}
