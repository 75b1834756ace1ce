package office;

import desk.Directory;
import desk.Greeter;
import desk.Session;

public class Morning {
    public static void main(String[] arguments) {
        Session.language = "de";
        Directory.getInstance().register("ada", "2.17");
        Directory.getInstance().register("bob", "cellar");
        Session.enter(new Session("ada"));
        System.out.println(new Greeter().greet());
        Session.enter(new Session("bob"));
        System.out.println(new Greeter().greet());
    }
}
