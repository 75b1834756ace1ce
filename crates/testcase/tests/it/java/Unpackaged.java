public class Unpackaged {
    public Unpackaged() {}
}
