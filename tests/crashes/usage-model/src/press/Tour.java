package press;

/** Shows visitors how the press works. Its own press stays with it. */
public class Tour {
    public String show(String visitor) {
        Press press = new Press();
        press.level();
        press.ink();
        press.heat();
        press.clamp();
        press.seal();
        press.align();
        return visitor + " took " + press.print(new Job(4, 2)) + " sheets home";
    }

    public void tidy(Press press, boolean thoroughly) {
        press.vent();
        if (thoroughly) {
            press.rinse();
            press.vent();
        }
    }
}
