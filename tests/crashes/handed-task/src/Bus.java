package post;

/** Carries things to the offices that want them. Only a running post office has one. */
public interface Bus {
    void publish(Object thing);
}
