package forms;

/** A form that people fill in; only {@link Forms} knows its parts. */
public class Form {
    private final Part part;

    Form(Part part) {
        this.part = part;
    }

    public char read(String text) {
        return part.read(text);
    }
}
