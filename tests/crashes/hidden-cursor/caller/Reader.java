package hall;

import java.util.Arrays;
import library.Shelf;

public class Reader {
    public static void main(String[] arguments) {
        for (String title : new Shelf(Arrays.asList("Ferns: a guide", null))) {
            System.out.println(title);
        }
    }
}
