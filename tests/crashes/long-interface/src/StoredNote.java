package org.jmock.album;

/** A note on the shelf of the machine that took it. */
public class StoredNote implements Note {
    private final String shelf;
    private boolean pinned;

    public StoredNote(int place) {
        shelf = System.getenv("ALBUM_SHELF_" + place);
        if (shelf == null) {
            throw new IllegalStateException("no shelf " + place);
        }
    }

    @Override
    public String title() {
        return shelf;
    }

    @Override
    public String[] lines() {
        return shelf.split(":");
    }

    @Override
    public int columns() {
        return lines().length;
    }

    @Override
    public int number() {
        return shelf.length();
    }

    @Override
    public long time() {
        return 0;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isPinned() {
        return pinned;
    }

    @Override
    public Note before() {
        return null;
    }

    @Override
    public void pin() {
        pinned = true;
    }

    @Override
    public void close() {}
}
