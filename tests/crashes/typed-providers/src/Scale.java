package bank;

public interface Scale {
    int weigh(String name);
}
