package desk;

import depot.Depot;
import java.util.HashMap;
import java.util.Map;

public class Clerk {
    public static void main(String[] arguments) {
        Map<String, String> given = new HashMap<>();
        given.put("yard.slope", "5");
        System.out.println(new Depot(given).label(null));
    }
}
