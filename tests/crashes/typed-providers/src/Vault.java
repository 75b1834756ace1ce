package bank;

public interface Vault {
    boolean isOpen();
}
