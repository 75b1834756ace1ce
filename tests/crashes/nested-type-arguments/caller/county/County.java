package county;

import java.util.*;

import survey.Pair;
import survey.Plot;
import survey.Register;

public class County {
    public static void main(String[] arguments) {
        Plot field = () -> "field";
        Plot wood = () -> "wood";
        List<Pair<Plot, Integer>> north = Arrays.asList(new Pair<>(field, 3), new Pair<>(wood, 0));
        System.out.println(new Register(Collections.singletonMap("north", north)).shares(1000));
    }
}
