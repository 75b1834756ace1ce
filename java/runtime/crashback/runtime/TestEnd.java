package crashback.runtime;

/**
 * Ends a test. It is an {@code Error} so that {@code catch (Exception)} does not stop it; what
 * catches everything is asked by {@link Probes#handler}. It has neither stack trace nor suppressed
 * exceptions, so that the same object can be thrown any number of times.
 */
public final class TestEnd extends Error {
    private static final long serialVersionUID = 1;

    TestEnd(String message) {
        super(message, null, false, false);
    }
}
