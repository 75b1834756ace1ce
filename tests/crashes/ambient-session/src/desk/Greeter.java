package desk;

/** Welcomes whoever works at the desk. */
public class Greeter {
    private int greeted;

    public String greet() {
        Session session = Session.current();
        if (session == null) {
            return "Nobody is here";
        }
        if (!"de".equals(Session.language)) {
            return "Welcome, " + session.user();
        }
        String room = Directory.getInstance().room(session.user());
        if (room == null) {
            return "Willkommen";
        }
        greeted++;
        return "Willkommen in " + floor(room);
    }

    /** The bug: not every room is on a floor. */
    private String floor(String room) {
        return room.substring(0, room.indexOf('.'));
    }
}
