package post;

/** Something that an office has to do once it is open. */
public interface Errand {
    void perform(Office office);
}
