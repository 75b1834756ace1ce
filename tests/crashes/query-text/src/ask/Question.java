package ask;

/** A question to a table, such as <code>select sum(price) from sales</code>. */
public class Question {
    private final String column;
    private final String table;

    public Question(String text) {
        Tokens tokens = new Tokens(text);
        tokens.expect(Tokens.SELECT);
        column = column(tokens);
        tokens.expect(Tokens.FROM);
        table = tokens.name();
    }

    /** The bug: nobody thinks of a star in the brackets. */
    private static String column(Tokens tokens) {
        String name = tokens.name();
        if (!tokens.accept(Tokens.OPEN)) {
            return name;
        }
        String argument = tokens.accept(Tokens.STAR) ? null : tokens.name();
        tokens.expect(Tokens.CLOSE);
        return name + " of " + argument.trim();
    }

    @Override
    public String toString() {
        return column + " in " + table;
    }
}
