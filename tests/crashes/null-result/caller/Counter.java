package office;

import post.Tariffs;

public class Counter {
    public static void main(String[] arguments) {
        System.out.println(new Tariffs().price(866, 3));
    }
}
