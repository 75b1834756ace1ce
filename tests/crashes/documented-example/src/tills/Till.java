package tills;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Reads receipts. Neither their texts nor the numbers of tills can be guessed: this documentation has one of
 * each. The till of the main hall is {@code 7_340_119}.
 */
public class Till {
    private static final long RECEIPT = 3439741095L;
    private static final long NUMBER = 1769141573L;

    private final long number;

    public Till(long number) {
        this.number = number;
    }

    /**
     * The sum of a receipt, as in
     *
     * <pre>
     * long sum = till.total(&quot;Tiel:03:77A9&quot;);
     * </pre>
     */
    public long total(String receipt) {
        CRC32 checksum = new CRC32();
        checksum.update(receipt.getBytes(StandardCharsets.UTF_8));
        if (checksum.getValue() != RECEIPT || mixed(number) != NUMBER) {
            return 0;
        }
        return sum(receipt.split(":"));
    }

    private static long sum(String[] parts) {
        return Long.parseLong(parts[1]) + Long.parseLong(parts[2]);
    }

    private static long mixed(long number) {
        long mixed = number * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
        mixed *= 0xBF58476D1CE4E5B9L;
        mixed ^= mixed >>> 32;
        return mixed & 0x7fffffffL;
    }
}
