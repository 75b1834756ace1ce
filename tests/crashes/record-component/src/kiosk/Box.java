package kiosk;

/** A box with room for some papers. */
public record Box(int room) {
    public Box {
        if (room <= 0) {
            throw new IllegalArgumentException("A box without room is none");
        }
    }
}
