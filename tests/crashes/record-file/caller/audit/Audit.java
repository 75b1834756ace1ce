package audit;

import java.io.File;
import java.nio.file.Files;
import store.RecordFile;

public class Audit {
    public static void main(String[] arguments) throws Exception {
        File file = File.createTempFile("records", ".dat");
        file.deleteOnExit();
        Files.write(file.toPath(), new byte[] {0x11, (byte) 0xbe, 1, 0, 40, 0, 0, 0});
        System.out.println(RecordFile.first(file));
    }
}
