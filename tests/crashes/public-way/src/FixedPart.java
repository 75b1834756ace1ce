package forms;

/** Reads what stands behind a number of characters. */
class FixedPart extends Part {
    final int width;

    FixedPart(int width) {
        this.width = width;
    }

    @Override
    char read(String text) {
        return text.charAt(width);
    }
}
