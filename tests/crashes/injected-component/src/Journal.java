package post;

public interface Journal {
    void note(String text);
}
