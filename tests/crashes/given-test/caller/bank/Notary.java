package bank;

import vault.Vault;

public class Notary {
    public static void main(String[] arguments) {
        Vault vault = new Vault();
        vault.turn(81);
        vault.turn(7);
        vault.turn(2290);
        vault.turn(36);
        System.out.println(vault.share(5000, 0));
    }
}
