package station;

import rail.Timetable;

public class Board {
    public static void main(String[] arguments) {
        Timetable timetable = Timetable.parse("north=7,12,19 south=4");
        System.out.println(timetable.lines().get("south").arrival(2));
    }
}
