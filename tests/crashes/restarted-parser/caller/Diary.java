package person;

import notes.Markup;

public class Diary {
    public static void main(String[] arguments) {
        System.out.println(new Markup("see [home").render());
    }
}
