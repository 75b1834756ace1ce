package desk;

import plan.Outline;

public class Print {
    public static void main(String[] arguments) {
        System.out.println(Outline.read("Rooms\n\tKitchen\n\t\t\tOven"));
    }
}
