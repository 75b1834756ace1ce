package post;

import java.util.ArrayList;
import java.util.List;

/** Sorts letters by the offices that take them. */
public class Sorter {
    private final Bus bus;
    private final List<String> codes = new ArrayList<>();

    public Sorter(Bus bus) {
        this.bus = bus;
    }

    public List<String> sort(String letter) {
        if (letter.startsWith("local:")) {
            codes.add(letter);
        } else {
            bus.publish(errand(letter));
        }
        return codes;
    }

    private Object errand(String letter) {
        if (!letter.startsWith("to ")) {
            return letter;
        }
        return new Errand() {
            @Override
            public void perform(Office office) {
                if (office.isOpen()) {
                    codes.add(code(office.address()));
                }
            }
        };
    }

    /** The bug: an office may have no address. */
    private static String code(String address) {
        return address.substring(address.lastIndexOf(' ') + 1);
    }
}
