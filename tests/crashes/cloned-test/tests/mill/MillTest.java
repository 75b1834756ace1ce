package mill;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class MillTest {
    private Mill mill;

    @Before
    public void build() {
        mill = new Mill();
    }

    @Test
    public void grinds() {
        mill.deliver(4);
        assertEquals(25, mill.grind("rye 12, oats 3, sea salt", 100));
    }
}
