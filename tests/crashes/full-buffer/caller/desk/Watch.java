package desk;

import gauge.Samples;

public class Watch {
    public static void main(String[] arguments) {
        Samples samples = new Samples();
        for (int minute = 0; minute < 60; minute++) {
            samples.add(20.5);
        }
        System.out.println(samples.mean());
    }
}
