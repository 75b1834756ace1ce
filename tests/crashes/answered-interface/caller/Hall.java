package airport;

import gates.Board;
import gates.Gate;

public class Hall {
    public static void main(String[] arguments) {
        new Board().show(new Gate() {
            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public String sign() {
                return "";
            }
        });
    }
}
