package season;

import green.Garden;
import green.Heap;

public class Spring {
    public static void main(String[] arguments) {
        Garden garden = new Garden();
        Heap heap = new Heap();
        heap.tip(7);
        garden.bring("loam", heap);
        System.out.println(garden.new Bed(4).earth());
    }
}
