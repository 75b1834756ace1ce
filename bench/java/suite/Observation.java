import crashback.runtime.Pins;
import crashback.runtime.Probes;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a worker does around a test, as far as probes are concerned. */
final class Observation {
    private static long bytes;

    private Observation() {}

    /** Reads what the probes are: budget, clock, seed, the frame probes of the target call chain and the jump codes. */
    static void configure(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            int budget = in.readInt();
            Pins.configure(in.readLong(), in.readLong());
            int[] chain = new int[in.readInt()];
            for (int i = 0; i < chain.length; i++) {
                chain[i] = in.readInt();
            }
            byte[] jumpCodes = new byte[in.readInt()];
            in.readFully(jumpCodes);
            Probes.configure(jumpCodes, chain, budget, true, "");
        }
    }

    static void begin() {
        Probes.newBatch();
        Probes.begin();
    }

    /** Encodes the facts, as for a search, and tells whether the budget lasted. */
    static String end() {
        long ended = Probes.end(null);
        bytes += (int) ended;
        return ended >>> 32 == 0 ? "" : " (the probes ended it)";
    }

    /** How many bytes of facts there were. */
    static long bytes() {
        return bytes;
    }
}
