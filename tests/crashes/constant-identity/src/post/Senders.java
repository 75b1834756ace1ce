package post;

/** Senders with a meaning of their own. */
public final class Senders {
    /** Stands for a sender who is not known. */
    public static final Object UNKNOWN = new Object();

    private Senders() {
    }
}
