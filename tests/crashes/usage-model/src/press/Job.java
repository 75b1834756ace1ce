package press;

/** Sheets to be printed on. */
public class Job {
    private final int sheets;
    private final int copies;

    public Job(int sheets, int copies) {
        this.sheets = sheets;
        this.copies = copies;
    }

    public int sheets() {
        return sheets;
    }

    public int copies() {
        return copies;
    }
}
