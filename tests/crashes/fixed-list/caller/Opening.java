package shop;

import java.util.Arrays;
import stock.Shelf;

public class Opening {
    public static void main(String[] args) {
        Shelf shelf = new Shelf(Arrays.asList("nails", "bolts"));
        System.out.println(shelf.store("screws"));
    }
}
