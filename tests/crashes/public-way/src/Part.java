package forms;

/** Reads a part of a text. */
abstract class Part {
    abstract char read(String text);
}
