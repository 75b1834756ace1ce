package green;

import java.util.HashMap;
import java.util.Map;

/** A garden with beds, each of which takes its earth from the garden's heaps. */
public class Garden {
    private final Map<String, Heap> heaps = new HashMap<>();

    public void bring(String kind, Heap heap) {
        heaps.put(kind, heap);
    }

    /** A bed of this garden. */
    public class Bed {
        private final int earth;

        public Bed(int size) {
            earth = fetch(size * 2);
        }

        private int fetch(int amount) {
            Heap heap = heaps.get("loam");
            return heap == null ? 0 : heap.take(amount);
        }

        public int earth() {
            return earth;
        }
    }
}
