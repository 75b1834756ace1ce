package kitchen;

/** A slip of paper with what a table wants. */
public class Ticket {
    private final String[] courses;
    private int place = -1;

    public Ticket(String... courses) {
        this.courses = courses;
    }

    public String next() {
        place++;
        return place < courses.length ? courses[place] : "";
    }

    public boolean isDone() {
        return place >= courses.length;
    }
}
