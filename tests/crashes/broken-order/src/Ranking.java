package ranks;

import java.util.Comparator;

/** Knows who comes first. */
public class Ranking {
    private static final String[] MEDALS = {"gold"};

    private final Comparator<Object> order;

    public Ranking(Comparator<Object> order) {
        this.order = order;
    }

    /** The bug: whoever is not even on a par with himself gets a medal that nobody has made. */
    public String medal(Object one) {
        int difference = order.compare(one, one);
        return MEDALS[difference];
    }
}
