package signs;

import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;

/** Any word that is missing crashes; only the logged one says what happened. */
public class Signpost {
    private final Map<String, Integer> distances = new HashMap<>();

    public void add(String place, int kilometres) {
        distances.put(place, kilometres);
    }

    public int distance(String place) {
        return lookUp(place.trim());
    }

    private int lookUp(String place) {
        Integer found = distances.get(place);
        if (found == null) {
            throw new NoSuchElementException("no way to " + place);
        }
        return found;
    }
}
