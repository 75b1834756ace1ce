package shop;

import java.util.HashMap;
import java.util.Map;

public class Prices {
    private final Map<String, Integer> cents = new HashMap<>();

    public Prices() {
        cents.put("tea", 250);
    }

    public Integer of(String item) {
        return cents.get(item);
    }
}
