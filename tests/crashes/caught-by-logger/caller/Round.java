package site;

import gauge.Meter;

public class Round {
    public static void main(String[] arguments) {
        new Meter().read("pressure");
    }
}
