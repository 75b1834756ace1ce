package office;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import ledger.Ledger;

public class Audit {
    public static void main(String[] arguments) throws IOException {
        File file = File.createTempFile("ledger", ".txt");
        file.deleteOnExit();
        Files.write(file.toPath(), "ledger 2\ncash = 12\ncoffee\n".getBytes());
        Ledger ledger = new Ledger();
        ledger.read(file);
        System.out.println(ledger.size());
    }
}
