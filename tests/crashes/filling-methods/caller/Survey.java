package survey;

import maps.Ring;
import maps.Shape;

public class Survey {
    public static void main(String[] arguments) {
        Shape shape = new Shape(new Ring().at(0, 0));
        shape.without(new Ring().at(1, 2).at(2, 3)).without(new Ring().at(4, 4).at(5, 6).at(7, 7));
        System.out.println(shape.area());
    }
}
