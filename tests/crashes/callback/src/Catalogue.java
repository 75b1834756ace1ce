package archive;

/** Looks entries up in a store. */
public class Catalogue {
    private final Store store;

    public Catalogue(Store store) {
        this.store = store;
    }

    public int pages(final String title) {
        return store.execute("pages", new Work<Integer>() {
            @Override
            public Integer in(Session session) {
                if (!session.isOpen()) {
                    return 0;
                }
                return parse(session.load(title));
            }
        });
    }

    private static int parse(String entry) {
        return Integer.parseInt(entry.substring(entry.indexOf(':') + 1));
    }
}
