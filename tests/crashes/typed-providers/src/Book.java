package bank;

public interface Book {
    void enter(String name);
}
