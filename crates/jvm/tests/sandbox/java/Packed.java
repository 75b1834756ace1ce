/** A class that comes from a jar. */
public final class Packed {
    public static Integer answer() {
        return 42;
    }
}
