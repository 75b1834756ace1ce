package wire;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;

/** Reads packets: a mark, a version, and a body behind its length. */
public class PacketReader {
    private static final int MARK = 0x504b5432;

    /** The bug: a length above 127 is taken for a negative number. */
    public byte[] read(byte[] packet) throws IOException {
        DataInputStream data = new DataInputStream(new ByteArrayInputStream(packet));
        if (data.readInt() != MARK) {
            throw new IOException("This is no packet");
        }
        int version = data.readUnsignedShort();
        if (version != 3) {
            throw new IOException("Unknown version " + version);
        }
        byte[] body = new byte[data.readByte()];
        data.readFully(body);
        return body;
    }
}
