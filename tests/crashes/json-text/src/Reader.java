package feed;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads texts such as {@code {"title": "News", "items": {"first": "1"}}}: objects and strings are enough here. */
class Reader {
    private final String text;
    private int at;

    Reader(String text) {
        this.text = text;
    }

    Map<String, Object> object() {
        expect('{');
        Map<String, Object> members = new LinkedHashMap<>();
        if (peek() != '}') {
            do {
                String key = string();
                expect(':');
                members.put(key, peek() == '{' ? object() : string());
            } while (skip(','));
        }
        expect('}');
        return members;
    }

    private String string() {
        expect('"');
        int end = text.indexOf('"', at);
        if (end < 0) {
            throw new IllegalArgumentException("a string does not end");
        }
        String found = text.substring(at, end);
        at = end + 1;
        return found;
    }

    private void expect(char wanted) {
        if (!skip(wanted)) {
            throw new IllegalArgumentException(wanted + " expected at " + at);
        }
    }

    private boolean skip(char wanted) {
        boolean found = peek() == wanted;
        if (found) {
            at++;
        }
        return found;
    }

    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }
}
