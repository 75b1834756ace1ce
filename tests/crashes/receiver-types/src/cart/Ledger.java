package cart;

import java.util.ArrayList;
import java.util.List;

/** Items of one kind, and of kinds below it, with two places for them. */
public class Ledger<T> {
    private final List<T> items = new ArrayList<>();

    public void add(T item) {
        items.add(item);
    }

    /** The bug: there may be more items than places. */
    public boolean hasPlace(Class<?> kind) {
        boolean[] places = {true, false};
        int used = 0;
        for (T item : items) {
            if (kind.isInstance(item)) {
                used++;
            }
        }
        return places[used];
    }
}
