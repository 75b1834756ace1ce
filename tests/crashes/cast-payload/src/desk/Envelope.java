package desk;

/** Carries anything from one part of the program to another. */
public final class Envelope {
    private final Object content;
    private final String receiver;

    public Envelope(String receiver, Object content) {
        this.receiver = receiver;
        this.content = content;
    }

    public Object content() {
        return content;
    }

    public String receiver() {
        return receiver;
    }
}
