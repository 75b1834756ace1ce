package postage;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What letters cost, by regions; each region has its file beside this class. */
public class Rates {
    private final List<Integer> prices = new ArrayList<>();

    public static Rates of(String region) throws IOException {
        try (InputStream stream = Rates.class.getResourceAsStream("rates-" + region + ".txt")) {
            if (stream == null) {
                throw new FileNotFoundException(region);
            }
            Rates rates = new Rates();
            rates.read(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)));
            return rates;
        }
    }

    /** The bug: one of the files has a line without a price. */
    private void read(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            prices.add(Integer.valueOf(line.split("=")[1]));
        }
    }

    public int size() {
        return prices.size();
    }
}
