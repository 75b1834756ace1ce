package town;

import post.Bus;
import post.Errand;
import post.Office;
import post.Sorter;

public class Morning implements Bus, Office {
    public static void main(String[] arguments) {
        System.out.println(new Sorter(new Morning()).sort("to Delft"));
    }

    @Override
    public void publish(Object thing) {
        ((Errand) thing).perform(this);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public String address() {
        return null;
    }
}
