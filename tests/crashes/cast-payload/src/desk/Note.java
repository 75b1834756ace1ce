package desk;

/** Something that can be handed out. The platform implements it. */
public interface Note {
    String title();

    boolean isUrgent();
}
