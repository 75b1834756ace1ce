package woods;

/** Part of a tree: a fork, or a leaf that carries anything. */
public class Node {
    private final Object load;
    private Node left;
    private Node right;

    public Node(Object load) {
        this.load = load;
    }

    public Node(Node left, Node right) {
        this(null);
        this.left = left;
        this.right = right;
    }

    int weigh(Scale scale) {
        if (left == null) {
            return scale.weigh(load);
        }
        int sum = left.weigh(scale);
        return sum + right.weigh(scale);
    }
}
