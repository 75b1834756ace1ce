package town;

import loom.Loom;
import loom.Weaver;

public class Shop {
    public static void main(String[] arguments) {
        Loom loom = new Loom().thread(417).thread(33).thread(9068).thread(5);
        System.out.println(new Weaver().weave(loom, 12, 0));
    }
}
