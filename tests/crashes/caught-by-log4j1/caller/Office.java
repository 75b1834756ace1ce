package office;

import org.apache.log4j.BasicConfigurator;
import post.Post;

public class Office {
    public static void main(String[] arguments) {
        BasicConfigurator.configure();
        new Post().sort(" ");
    }
}
