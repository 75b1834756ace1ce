package odd;

class Patterns {
    enum Kind { A, B }

    static int of(Object value) {
        return switch (value) {
            case null -> -1;
            case Circle(double radius, var tags) when radius > 2 -> tags.size();
            case Square square -> square.side();
            case Kind kind when kind == Kind.A -> 5;
            case int[] ints -> ints.length;
            default -> 0;
        };
    }

    static int all(Shape shape) {
        return switch (shape) { case Circle c -> 1; case Square s -> 2; case Empty.INSTANCE -> 3; };
    }
}
