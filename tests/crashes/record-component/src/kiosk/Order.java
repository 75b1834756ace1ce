package kiosk;

/** Copies of a paper, to be carried in boxes. */
public record Order(String paper, int copies) {
    public Order {
        if (copies < 0) {
            throw new IllegalArgumentException("There are no fewer copies than none");
        }
    }

    /** The bug: an order without copies needs no box at all. */
    public int copiesPerBox(Box box) {
        int boxes = copies / box.room() + (copies % box.room() == 0 ? 0 : 1);
        return copies / boxes;
    }
}
