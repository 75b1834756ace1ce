package office;

import java.util.concurrent.ExecutionException;
import parcels.Courier;

public class Desk {
    public static void main(String[] arguments) throws InterruptedException {
        try {
            new Courier().send("1 Main Street", 3).get();
        } catch (ExecutionException failure) {
            failure.getCause().printStackTrace();
        }
    }
}
