package office;

import plant.Conveyor;
import plant.Recipe;

public class Shift {
    public static void main(String[] arguments) {
        Conveyor conveyor = new Conveyor();
        conveyor.initialise(new Recipe(0));
        conveyor.prime();
        conveyor.halt();
        System.out.println(conveyor.run());
    }
}
