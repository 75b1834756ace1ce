package county;

import java.util.List;
import java.util.Map;
import survey.Pair;
import survey.Plot;
import survey.Register;

public class County {
    public static void main(String[] arguments) {
        Plot field = () -> "field";
        Plot wood = () -> "wood";
        List<Pair<Plot, Integer>> north = List.of(new Pair<>(field, 3), new Pair<>(wood, 0));
        System.out.println(new Register(Map.of("north", north)).shares(1000));
    }
}
