package feed;

/** A stream of tokens, in whatever format they are written. */
public interface Feed {
    Token next();

    String text();
}
