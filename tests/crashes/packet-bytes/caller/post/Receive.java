package post;

import wire.PacketReader;

public class Receive {
    public static void main(String[] arguments) throws Exception {
        byte[] packet = new byte[160];
        byte[] header = {0x50, 0x4b, 0x54, 0x32, 0, 3, (byte) 150};
        System.arraycopy(header, 0, packet, 0, header.length);
        new PacketReader().read(packet);
    }
}
