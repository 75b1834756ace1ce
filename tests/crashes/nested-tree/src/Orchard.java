package woods;

import java.util.List;

public class Orchard {
    private final List<Node> trees;
    private Scale scale;

    public Orchard(List<Node> trees) {
        this.trees = trees;
    }

    public void setScale(Scale scale) {
        this.scale = scale;
    }

    public int harvest() {
        int sum = 0;
        for (Node tree : trees) {
            sum += tree.weigh(scale);
        }
        return sum;
    }
}
