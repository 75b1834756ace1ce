package square;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import tally.Tally;

public class Market {
    public static void main(String[] arguments) {
        List<Integer> counts = new ArrayList<>();
        counts.add(3);
        Iterator<Integer> counted = counts.iterator();
        counts.add(4);
        System.out.println(new Tally().add(counted));
    }
}
