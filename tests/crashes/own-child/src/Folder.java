package menu;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A line of a menu that opens further ones. */
public class Folder implements Entry {
    private final String title;
    private final List<Entry> entries = new ArrayList<>();

    public Folder(String title) {
        this.title = title;
    }

    public void add(Entry entry) {
        entries.add(entry);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public int hashCode() {
        return Objects.hash(title, entries);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Folder && entries.equals(((Folder) other).entries);
    }
}
