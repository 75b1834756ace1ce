package woods;

public class FruitScale implements Scale {
    /** The bug: not everything in a tree is fruit. */
    @Override
    public int weigh(Object load) {
        return load == null ? 0 : ((Fruit) load).weight();
    }
}
