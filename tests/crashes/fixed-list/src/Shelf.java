package stock;

import java.util.List;

/** The boxes of a shelf, top first. */
public class Shelf {
    private final List<String> boxes;

    public Shelf(List<String> boxes) {
        this.boxes = boxes;
    }

    /** The bug: the boxes may be given as a list that cannot be changed. */
    public int store(String box) {
        if (box.length() > 3) {
            boxes.add(0, box);
        }
        return boxes.size();
    }
}
