package desk;

/** Reads what is handed in. */
public class Clerk {
    private int urgent;

    public String take(Envelope envelope) {
        Object content = envelope.content();
        if (content == null || envelope.receiver() == null) {
            return "";
        }
        return file((Note) content);
    }

    /** The bug: a title need not have a number. */
    private String file(Note note) {
        if (note.isUrgent()) {
            urgent++;
            return note.title().substring(note.title().indexOf('#'));
        }
        return note.title();
    }
}
