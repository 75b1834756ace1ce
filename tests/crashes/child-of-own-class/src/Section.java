package press;

/** A part of a book, which may be one of the parts of another. */
public class Section {
    /** Whether sections of a depth are books. */
    private static final boolean[] COMPLETE = {false, false, false, false, false, true, false};

    private final String title;
    private Section parent;
    private Section part;

    public Section(String title) {
        this.title = title;
    }

    /** Whatever has its place stays as it is. */
    public void append(Section section) {
        if (parent != null || section.parent != null || section == this) {
            throw new IllegalArgumentException("not here");
        }
        section.parent = this;
        part = section;
    }

    /** Books have volumes, these have chapters, paragraphs and notes. */
    public int notes() {
        if (!COMPLETE[Math.min(depth(), 6)]) {
            return 0;
        }
        return part.inVolume();
    }

    private int depth() {
        int depth = 0;
        for (Section it = this; it != null; it = it.part) {
            depth++;
        }
        return depth;
    }

    private int inVolume() {
        return part.inChapter();
    }

    private int inChapter() {
        return part.inParagraph();
    }

    private int inParagraph() {
        return part.inNote();
    }

    /** The bug: a note has no parts. */
    private int inNote() {
        return part.title.length();
    }
}
