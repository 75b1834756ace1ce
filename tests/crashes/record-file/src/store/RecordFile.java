package store;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;

/** Files of records behind an index, lowest bytes first. */
public class RecordFile {
    private static final int MARK = 0xbe11;

    /** The bug: the place of the first record is not compared with the length of the file. */
    public static int first(File file) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file.toPath()));
        content.order(ByteOrder.LITTLE_ENDIAN);
        if (content.remaining() < 8 || (content.getShort() & 0xffff) != MARK) {
            throw new IOException("These are no records");
        }
        int records = content.getShort();
        if (records <= 0) {
            return -1;
        }
        int place = content.getInt();
        return content.array()[place];
    }
}
