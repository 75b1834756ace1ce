package odd.more;

public class Job implements Runnable {
    public void run() { }
}
