package office;

import mailer.Mailer;

public class Post {
    public static void main(String[] arguments) {
        System.setProperty("mailer.enabled", "true");
        System.setProperty("mailer.relay", "localhost");
        System.out.println(new Mailer().send("greetings"));
    }
}
