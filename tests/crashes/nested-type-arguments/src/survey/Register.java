package survey;

import java.util.List;
import java.util.Map;

/** Plots with their numbers of owners, by region. */
public class Register {
    private final Map<String, List<Pair<Plot, Integer>>> regions;

    public Register(Map<String, List<Pair<Plot, Integer>>> regions) {
        this.regions = regions;
    }

    /** The bug: a plot need not have an owner. */
    public int shares(int area) {
        int sum = 0;
        for (List<Pair<Plot, Integer>> region : regions.values()) {
            for (Pair<Plot, Integer> owned : region) {
                String name = owned.first().name();
                if (name != null && area > 0) {
                    sum += area / owned.second();
                }
            }
        }
        return sum;
    }
}
