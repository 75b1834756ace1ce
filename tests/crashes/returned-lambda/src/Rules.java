package press;

import java.util.function.Predicate;

/** What lines must be like. */
public class Rules {
    private final int width;

    public Rules(int width) {
        this.width = width;
    }

    public Predicate<String> fits() {
        return line -> takes(line);
    }

    private boolean takes(String line) {
        return new Column(width).room(line) >= 0;
    }
}
