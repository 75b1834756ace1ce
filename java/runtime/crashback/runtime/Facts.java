package crashback.runtime;

/** Encodes what a test did, as an observation of a reply is written: see the protocol. */
final class Facts {
    /** Units kept of a text operand. */
    private static final int MOST_UNITS = 256;

    /** How tests end, as places of the variants of {@code Outcome}. */
    static final int RETURNED = 0;
    static final int THREW = 1;
    static final int BUDGET_SPENT = 2;
    static final int STOPPED = 3;
    static final int EXITED = 4;

    /** What the rest of an observation consists of. */
    private static final int MORE = 1;
    private static final int ASKED = 2;
    private static final int NULLS = 4;
    private static final int DEPTH = 8;
    private static final int ACCESSES = 16;
    private static final int VARIABLES = 32;
    private static final int WORDS = 64;
    private static final int ARGUMENTS = 128;

    private Facts() {}

    /** Appends an observation. When it throws, part of it may have been appended. */
    static void encode(int outcome, int status, int completed, long nulls, Throwable thrown) {
        Encoding.one(outcome);
        if (outcome == EXITED) {
            Encoding.signed(status);
        }
        Encoding.unsigned(completed);
        Paths.encode();
        Encoding.distances(Record.distances, 0, Record.branches);
        rest(nulls, thrown, thrown != null || Record.hasMore());
    }

    private static void rest(long nulls, Throwable thrown, boolean hasMore) {
        int asked = Mocks.asked;
        int depth = Chain.deepest();
        int words = Words.untold();
        Encoding.one(
                (hasMore ? MORE : 0)
                        | (asked != 0 ? ASKED : 0)
                        | (nulls != 0 ? NULLS : 0)
                        | (depth != 0 ? DEPTH : 0)
                        | (Accesses.count != 0 ? ACCESSES : 0)
                        | (Variables.count != 0 ? VARIABLES : 0)
                        | (words != 0 ? WORDS : 0)
                        | (Arguments.count != 0 ? ARGUMENTS : 0));
        if (depth != 0) {
            Encoding.unsigned(depth);
        }
        if (nulls != 0) {
            Encoding.bits(nulls);
        }
        if (asked != 0) {
            Mocks.encodeAsked();
        }
        if (Accesses.count != 0) {
            Accesses.encode();
        }
        if (Variables.count != 0) {
            Variables.encode();
        }
        if (words != 0) {
            Words.encode();
        }
        if (Arguments.count != 0) {
            Arguments.encode();
        }
        if (hasMore) {
            more(thrown);
        }
    }

    private static void more(Throwable thrown) {
        try {
            Throwables.clear();
            if (thrown != null) {
                Throwables.number(thrown);
            }
            switches();
            operands();
            caught();
            Missed.encode(thrown != null);
            Throwables.encode();
            Frames.encode();
        } finally {
            Throwables.clear();
        }
    }

    private static void switches() {
        Encoding.unsigned(Record.switches);
        for (int i = 0; i < Record.switches; i++) {
            Encoding.unsigned(Record.switchProbes[i]);
            Encoding.position(Record.switchPositions[i]);
            int keys = Record.switchKeyCounts[i];
            Encoding.unsigned(keys);
            for (int k = 0; k < keys; k++) {
                Encoding.signed(Record.switchKeys[i * Record.MOST_KEYS + k]);
            }
        }
    }

    private static void operands() {
        Encoding.unsigned(Operands.count);
        for (int i = 0; i < Operands.count; i++) {
            Encoding.unsigned(Operands.probes[i]);
            value(Operands.kinds[i], Operands.leftNumbers[i], Operands.leftTexts[i]);
            value(Operands.rightKind(i), Operands.rightNumbers[i], Operands.rightTexts[i]);
            Operands.leftTexts[i] = null;
            Operands.rightTexts[i] = null;
        }
    }

    /** The kinds are the places of the variants in {@code Value}. */
    static void value(int kind, long number, String text) {
        Encoding.one(kind);
        switch (kind) {
            case Operands.NOTHING:
                break;
            case Operands.INTEGERS:
                Encoding.signed(number);
                break;
            case Operands.FLOATS:
                Encoding.bits(number);
                break;
            default:
                Encoding.units(text, MOST_UNITS);
                break;
        }
    }

    private static void caught() {
        Encoding.unsigned(Record.caught);
        for (int i = 0; i < Record.caught; i++) {
            Encoding.unsigned(Record.caughtProbes[i]);
            Encoding.position(Record.caughtPositions[i]);
            Encoding.unsigned(Throwables.number(Record.caughtThrowables[i]));
        }
        Record.forgetCaught();
    }
}
