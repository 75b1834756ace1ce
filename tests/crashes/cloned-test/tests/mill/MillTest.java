package mill;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class MillTest {
    private String recipe;

    @Before
    public void write() {
        recipe = "rye 12, oats 3, " + "sea salt";
    }

    @Test
    public void grinds() {
        assertEquals(25, Mill.grind(recipe, 100, 4));
    }
}
