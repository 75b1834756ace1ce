package books;

import java.util.Iterator;

/** Pages with sums. */
public class Ledger {
    private final int[] sums;

    public Ledger(int pages) {
        sums = new int[pages];
    }

    public Iterator<Integer> from(int page) {
        return new Pages(page);
    }

    /** The bug: there may be no such page. */
    private int sum(int page) {
        return sums[page];
    }

    private class Pages implements Iterator<Integer> {
        private int page;

        Pages(int page) {
            this.page = page;
        }

        @Override
        public boolean hasNext() {
            return page != sums.length;
        }

        @Override
        public Integer next() {
            return sum(page++);
        }
    }
}
