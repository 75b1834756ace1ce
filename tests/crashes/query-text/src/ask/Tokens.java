package ask;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Cuts a question into words and signs. */
class Tokens {
    static final int END = 0;
    static final int NAME = 1;
    static final int SELECT = 2;
    static final int FROM = 3;
    static final int OPEN = 4;
    static final int CLOSE = 5;
    static final int STAR = 6;

    private static final Map<String, Integer> WORDS = new HashMap<>();

    static {
        WORDS.put("select", SELECT);
        WORDS.put("from", FROM);
    }

    private final String text;
    private int place;
    private int kind;
    private String word;

    Tokens(String text) {
        this.text = text;
        advance();
    }

    boolean accept(int wanted) {
        if (kind != wanted) {
            return false;
        }
        advance();
        return true;
    }

    void expect(int wanted) {
        if (!accept(wanted)) {
            throw new IllegalArgumentException("Unexpected " + word + " at " + place);
        }
    }

    String name() {
        String name = word;
        expect(NAME);
        return name;
    }

    private void advance() {
        while (place < text.length() && text.charAt(place) == ' ') {
            place++;
        }
        int start = place;
        while (place < text.length() && Character.isLetter(text.charAt(place))) {
            place++;
        }
        word = text.substring(start, place);
        if (place > start) {
            kind = WORDS.getOrDefault(word.toLowerCase(Locale.ROOT), NAME);
        } else if (place == text.length()) {
            kind = END;
        } else {
            kind = sign(text.charAt(place++));
        }
    }

    private static int sign(char letter) {
        switch (letter) {
            case '(':
                return OPEN;
            case ')':
                return CLOSE;
            case '*':
                return STAR;
            default:
                throw new IllegalArgumentException("Unknown sign " + letter);
        }
    }
}
