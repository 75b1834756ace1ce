package yard;

import depot.Importer;
import depot.Listener;
import java.util.Arrays;

public class Delivery implements Listener {
    public static void main(String[] arguments) {
        new Importer(new Delivery()).load(Arrays.asList("bolts;3", "nuts"));
    }

    @Override
    public void failed(String line, Exception failure) {
        failure.printStackTrace();
    }

    @Override
    public void done(int loaded) {
        System.out.println(loaded);
    }
}
