package school;

/** Something that happens on a day. */
public interface Break {
    String place();
}
