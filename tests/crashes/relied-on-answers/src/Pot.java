package lodge;

public interface Pot {
    Lid lid();

    /** What is on a pot. */
    interface Lid {
        Metal metal();
    }
}
