package season;

import java.util.Arrays;
import woods.Fruit;
import woods.FruitScale;
import woods.Nest;
import woods.Node;
import woods.Orchard;

public class Autumn {
    public static void main(String[] arguments) {
        Node twig = new Node(new Node(new Nest()), new Node(new Fruit(2)));
        Node branch = new Node(new Node(new Fruit(3)), twig);
        Node tree = new Node(new Node(new Fruit(5)), branch);
        Orchard orchard = new Orchard(Arrays.asList(tree));
        orchard.setScale(new FruitScale());
        System.out.println(orchard.harvest());
    }
}
