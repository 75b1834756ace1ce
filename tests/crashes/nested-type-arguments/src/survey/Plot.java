package survey;

/** A piece of land, as the land registry knows it. */
public interface Plot {
    String name();
}
