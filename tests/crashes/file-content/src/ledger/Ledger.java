package ledger;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Accounts that are kept in a file. */
public class Ledger {
    private final List<String> accounts = new ArrayList<>();

    /** Reads the accounts of a file. */
    public void read(File file) throws IOException {
        if (!file.isFile()) {
            throw new IOException("There is no file " + file.getName());
        }
        try (BufferedReader reader = new BufferedReader(new FileReader(file))) {
            if (!"ledger 2".equals(reader.readLine())) {
                throw new IOException("Not a ledger: " + file.getName());
            }
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                accounts.add(account(line));
            }
        }
    }

    /** The bug: a line may have no amount. */
    private String account(String line) {
        int amount = line.indexOf('=');
        return line.substring(0, amount).trim();
    }

    public int size() {
        return accounts.size();
    }
}
