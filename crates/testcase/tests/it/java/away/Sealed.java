package away;

/** Types whose disjointness a compiler knows. */
public class Sealed {
    public sealed interface Shape permits Round, Edgy {}
    public static final class Round implements Shape {}
    public static non-sealed class Edgy implements Shape {}
    public sealed interface Closed permits Only {}
    public static final class Only implements Closed {}
    public static sealed class Tree permits Leaf {}
    public static final class Leaf extends Tree {}
    public interface Free {}
    public static class Loose {}
    public static final class Last {}
    public record Pair(int a, String b) {}
}
