package kitchen;

import dials.Dial;

public class Hand {
    public static void main(String[] arguments) {
        Dial dial = new Dial(12);
        dial.listener().turned(9);
        dial.listener().turned(4);
    }
}
