package mill;

/** Flour of a kind. */
public final class Sack {
    private final int[] grades;

    public Sack(int... grades) {
        this.grades = grades;
    }

    int grade(int place) {
        return grades[place];
    }
}
