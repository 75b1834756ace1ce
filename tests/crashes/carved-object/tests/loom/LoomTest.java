package loom;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class LoomTest {
    private static final int[] COLOURS = {417, 33, 9068, 5};

    private static Loom threaded(int count) {
        Loom loom = new Loom();
        for (int i = 0; i < count; i++) {
            loom.thread(COLOURS[i]);
        }
        return loom;
    }

    @Test
    public void isReadyWithAllThreads() {
        assertTrue(threaded(4).isReady());
    }

    @Test
    public void isNotReadyBefore() {
        assertFalse(threaded(2).isReady());
    }
}
