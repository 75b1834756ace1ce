package intake;

/** Reads lines such as {@code bolts;40}. */
public class Importer {
    private int total;

    public int add(String line) throws ImportFailure {
        try {
            total += count(line);
        } catch (RuntimeException failure) {
            throw new ImportFailure("cannot read " + line, failure);
        }
        return total;
    }

    /** The bug: not every line has a count. */
    private static int count(String line) {
        String[] fields = line.split(";");
        if (fields[0].isEmpty()) {
            return 0;
        }
        return Integer.parseInt(fields[1].trim());
    }
}
