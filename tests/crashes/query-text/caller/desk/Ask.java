package desk;

import ask.Question;

public class Ask {
    public static void main(String[] arguments) {
        System.out.println(new Question("select count(*) from sales"));
    }
}
