package archive;

/** The newer version reads pages by another method than the logged one. */
public class Archive {
    private final String[] pages = {"", "index", null};

    public int find(int page) throws Unreadable {
        try {
            return length(page);
        } catch (RuntimeException failure) {
            throw new Unreadable(page, failure);
        }
    }

    private int length(int page) {
        return pages[page & 3].length();
    }
}
