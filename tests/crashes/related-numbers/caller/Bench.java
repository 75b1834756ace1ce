package shop;

import measures.Ruler;

public class Bench {
    public static void main(String[] arguments) {
        Ruler ruler = new Ruler(613, 387);
        System.out.println(ruler.fit(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
    }
}
