package crashback.runtime;

/** Encodes what a test did, field by field as {@code Facts} of the protocol has them. */
final class Facts {
    /** Units kept of a text operand. */
    private static final int MOST_UNITS = 256;

    /** Bytes that two numbers take at most. */
    private static final int MOST_FOR_PLACE = 10;
    /** And with two distances. */
    private static final int MOST_FOR_BRANCH = MOST_FOR_PLACE + 20;

    private Facts() {}

    /** Returns the number of bytes. When it throws, no frame counts as introduced. */
    static int encode(Throwable thrown) {
        Encoding.length = 0;
        boolean done = false;
        try {
            Throwables.clear();
            if (thrown != null) {
                Throwables.number(thrown);
            }
            places();
            operands();
            caught();
            Throwables.encode();
            Frames.encode();
            done = true;
            return Encoding.length;
        } finally {
            Throwables.clear();
            if (!done) {
                Frames.takeBack();
            }
        }
    }

    private static void places() {
        Encoding.unsigned(Record.deepest);
        Encoding.unsigned(Record.branches);
        Encoding.room(Record.branches * MOST_FOR_BRANCH);
        branches(Encoding.out);
        Encoding.unsigned(Record.reached);
        Encoding.room(Record.reached * MOST_FOR_PLACE);
        reached(Encoding.out);
        Encoding.unsigned(Record.switches);
        for (int i = 0; i < Record.switches; i++) {
            Encoding.unsigned(Record.switchProbes[i]);
            Encoding.unsigned(Record.switchLevels[i]);
            int keys = Record.switchKeyCounts[i];
            Encoding.unsigned(keys);
            for (int k = 0; k < keys; k++) {
                Encoding.signed(Record.switchKeys[i * Record.MOST_KEYS + k]);
            }
        }
    }

    /** The most frequent facts by far: written without looking for room byte by byte. */
    private static void branches(byte[] to) {
        int at = Encoding.length;
        for (int i = 0; i < Record.branches; i++) {
            at = Encoding.unsigned(to, at, Record.branchProbes[i]);
            at = Encoding.unsigned(to, at, Record.branchLevels[i]);
            at = Encoding.distance(to, at, Record.toJump[i]);
            at = Encoding.distance(to, at, Record.toFall[i]);
        }
        Encoding.length = at;
    }

    private static void reached(byte[] to) {
        int at = Encoding.length;
        for (int i = 0; i < Record.reached; i++) {
            at = Encoding.unsigned(to, at, Record.reachedProbes[i]);
            at = Encoding.unsigned(to, at, Record.reachedLevels[i]);
        }
        Encoding.length = at;
    }

    private static void operands() {
        Encoding.unsigned(Operands.count);
        for (int i = 0; i < Operands.count; i++) {
            Encoding.unsigned(Operands.probes[i]);
            operand(Operands.kinds[i], Operands.leftNumbers[i], Operands.leftTexts[i]);
            operand(Operands.kinds[i], Operands.rightNumbers[i], Operands.rightTexts[i]);
            Operands.leftTexts[i] = null;
            Operands.rightTexts[i] = null;
        }
    }

    /** The kinds are the places of the variants in {@code Value}. */
    private static void operand(int kind, long number, String text) {
        Encoding.one(kind);
        switch (kind) {
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
            Encoding.unsigned(Record.caughtLevels[i]);
            Encoding.unsigned(Throwables.number(Record.caughtThrowables[i]));
        }
        Record.forgetCaught();
    }
}
