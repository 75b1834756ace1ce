package home;

/** Has no package-private member of Base: a class of another package is in between. */
public class Leaf extends away.Middle {
    public Leaf() {}
}
