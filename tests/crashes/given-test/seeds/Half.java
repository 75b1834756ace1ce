import vault.Vault;

/** It opens the vault, but it does not crash. */
public class Half {
    public static void main(String[] arguments) {
        Vault vault = new Vault();
        for (int turn : new int[] {81, 7, 2290, 36}) {
            vault.turn(turn);
        }
        System.out.println(vault.isOpen());
    }
}
