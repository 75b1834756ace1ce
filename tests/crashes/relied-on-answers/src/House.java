package lodge;

/** A house that is run by others; each of them knows where the next one is. */
public interface House {
    Porter porter();

    Kitchen kitchen();
}
