package feed;

/** Tokens of one flat JSON object. */
public final class JsonFeed implements Feed {
    private final String input;
    private int place;
    private String text;

    public JsonFeed(String input) {
        this.input = input;
    }

    @Override
    public Token next() {
        while (place < input.length() && " \n,:".indexOf(input.charAt(place)) >= 0) {
            place++;
        }
        if (place >= input.length()) {
            return null;
        }
        char letter = input.charAt(place);
        if (letter == '{' || letter == '}') {
            place++;
            return letter == '{' ? Token.BEGIN : Token.END;
        }
        if (letter == '"') {
            int end = input.indexOf('"', place + 1);
            if (end < 0) {
                throw new IllegalArgumentException("Unfinished text");
            }
            text = input.substring(place + 1, end);
            place = end + 1;
            return place < input.length() && input.charAt(place) == ':' ? Token.NAME : Token.WORD;
        }
        int start = place;
        while (place < input.length() && Character.isDigit(input.charAt(place))) {
            place++;
        }
        if (start == place) {
            throw new IllegalArgumentException("Neither text nor number");
        }
        text = input.substring(start, place);
        return Token.NUMBER;
    }

    @Override
    public String text() {
        return text;
    }
}
