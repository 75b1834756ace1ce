package library;

import java.util.Iterator;
import java.util.List;

/** Titles in the order in which they stand. */
public class Shelf implements Iterable<String> {
    private final List<String> titles;

    public Shelf(List<String> titles) {
        this.titles = titles;
    }

    @Override
    public Iterator<String> iterator() {
        return new Cursor();
    }

    /** The bug: where a book is lent there is no title. */
    private String shorten(String title) {
        int colon = title.indexOf(':');
        return colon < 0 ? title : title.substring(0, colon);
    }

    private class Cursor implements Iterator<String> {
        private int place;

        @Override
        public boolean hasNext() {
            return place < titles.size();
        }

        @Override
        public String next() {
            return shorten(titles.get(place++));
        }
    }
}
