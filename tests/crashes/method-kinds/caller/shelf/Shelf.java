package shelf;

import docs.Signatures;
import java.util.Iterator;

public class Shelf {
    public static void main(String[] arguments) throws NoSuchMethodException {
        System.out.println(new Signatures().first(Iterator.class.getMethod("remove")));
    }
}
