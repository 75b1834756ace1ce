package forms;

/** Makes forms of patterns. */
public final class Forms {
    private Forms() {
    }

    public static Form of(String pattern) {
        return new Form(new FixedPart(pattern.length()));
    }
}
