package press;

/** Prints what it is given. */
public class Printer {
    private int printed;

    public String print(String job) {
        Spool spool = Services.get(Spool.class);
        spool.enqueue(job);
        printed++;
        return title(job);
    }

    /** The bug: not every job has a title. */
    private String title(String job) {
        return job.substring(0, job.indexOf(':'));
    }
}
