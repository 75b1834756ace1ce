package home;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** Knows what went wrong. */
public class Keeper {
    static Exception last;
    private Exception hidden;
    Error error;

    public Future<String> run(String name) { return null; }
    public Kept kept() { return null; }
    public CompletionStage<String> stage() { return null; }
    public Exception of(String name) { return hidden; }
    public Keeper self() { return this; }
    public String name() { return ""; }

    public static class Kept {
        public Exception failure() { return null; }
        public int size() { return 0; }
    }
}
