package office;

import weather.Display;
import weather.Reading;

public class Station {
    public static void main(String[] arguments) {
        System.out.println(new Display().show(Reading.of(15, 0, 712)));
    }
}
