package shelf;

import docs.Describer;

public class Shelf {
    public static void main(String[] arguments) {
        System.out.println(new Describer().elements(int[].class));
        System.out.println(new Describer().elements(double[].class));
    }
}
