package bank;

public interface Clerk {
    void call(String name);
}
