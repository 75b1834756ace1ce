package odd;

import java.util.List;

sealed interface Shape permits Circle, Square, Empty { }

record Circle(@Seen double radius, List<@Typed String> tags) implements Shape {
    Circle { if (radius < 0) throw new IllegalArgumentException("radius " + radius); }
}

record Square(int side, @Deprecated String... names) implements Shape { }

enum Empty implements Shape { INSTANCE }

interface Modern {
    private int hidden() { return 1; }

    default int shown() { return hidden(); }

    static String describe(Object value) {
        if (value instanceof Circle circle && circle.radius() > 1) return "big " + circle;
        String text = """
                block "text"
                """;
        return switch (value.toString()) {
            case "a", "b" -> { yield text; }
            default -> value + "\u0001\u0002" + text.length();
        };
    }
}
