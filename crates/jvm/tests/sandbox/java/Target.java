/** A JVM that waits to be attached to. */
public final class Target {
    public static void main(String[] arguments) throws Exception {
        System.out.println("ready");
        Thread.sleep(300_000);
    }
}
