package town;

import vault.Account;
import vault.Session;
import vault.Till;

public class Street {
    public static void main(String[] arguments) {
        Session session = new Session(4) {
            @Override
            public Account account() {
                return new Account(12);
            }
        };
        System.out.println(new Till().pay(session, 0));
    }
}
