package lodge;

public interface Wick {
    Thread thread();

    /** A part of a wick. */
    interface Thread {
        Fibre fibre();
    }

    /** A part of a thread. */
    interface Fibre {
        String plant();
    }
}
