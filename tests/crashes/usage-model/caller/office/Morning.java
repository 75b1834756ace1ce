package office;

import press.Counter;
import press.Job;
import press.Press;

public class Morning {
    public static void main(String[] arguments) {
        Press press = new Press();
        press.level();
        press.ink();
        press.heat();
        press.clamp();
        press.seal();
        press.align();
        System.out.println(new Counter().order(press, new Job(12, 0)));
    }
}
