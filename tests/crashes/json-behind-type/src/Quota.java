package feed;

/** How much a client may take. */
public class Quota {
    private long limit = -1;

    public void read(Feed feed) {
        if (feed.next() != Token.BEGIN) {
            throw new IllegalArgumentException("No quota");
        }
        Token token = feed.next();
        while (token == Token.NAME) {
            String name = feed.text();
            if (feed.next() != Token.NUMBER) {
                throw new IllegalArgumentException("No number");
            }
            long value = Long.parseLong(feed.text());
            if (name.equals("limit")) {
                limit = value;
            }
            token = feed.next();
        }
        if (token == Token.END && limit >= 0) {
            share();
        }
    }

    private void share() {
        if (limit < 5) {
            throw new IllegalStateException("Nothing is left");
        }
    }
}
