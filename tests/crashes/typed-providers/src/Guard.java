package bank;

public interface Guard {
    void greet(String name);
}
