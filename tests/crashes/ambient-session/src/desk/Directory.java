package desk;

import java.util.HashMap;
import java.util.Map;

/** The rooms of the house; there is one directory. */
public class Directory {
    private static final Directory INSTANCE = new Directory();
    private final Map<String, String> rooms = new HashMap<>();

    private Directory() {
    }

    public static Directory getInstance() {
        return INSTANCE;
    }

    public void register(String user, String room) {
        rooms.put(user, room);
    }

    public String room(String user) {
        return rooms.get(user);
    }
}
