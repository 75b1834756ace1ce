package feed;

public enum Token {
    BEGIN, NAME, NUMBER, WORD, END
}
