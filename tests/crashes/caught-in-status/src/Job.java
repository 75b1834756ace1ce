package press;

/** Prints what was ordered. How it went is for whoever asks. */
public class Job {
    private final Status status = new Status();

    public void run(String order, int copies) {
        try {
            status.finish(sheets(order.trim(), copies));
        } catch (RuntimeException failure) {
            status.fail(failure);
        }
    }

    public Status getStatus() {
        return status;
    }

    private int sheets(String order, int copies) {
        int pages = order.length() / copies;
        return copies * pages;
    }
}
