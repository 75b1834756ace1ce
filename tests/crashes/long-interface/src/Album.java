package org.jmock.album;

/** Lays notes out in columns. */
public class Album {
    public int widest(Note note) {
        String[] lines = note.lines();
        int[] widths = new int[note.columns()];
        int widest = 0;
        for (int line = 0; line < lines.length; line++) {
            // The bug: a note may have more lines than columns.
            widths[line] = lines[line].length();
            widest = Math.max(widest, widths[line]);
        }
        return widest;
    }
}
