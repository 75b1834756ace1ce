package parcels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Takes in the parcels of a day. */
public class Depot {
    private final LabelReader reader;
    private final List<Label> labels = new ArrayList<>();

    public Depot(LabelReader reader) {
        this.reader = reader;
    }

    public int receive(List<String> scans) {
        scans.forEach(scan -> labels.add(reader.read(scan)));
        return labels.size();
    }

    public static void main(String[] scans) {
        System.err.println("2026-03-02 06:00:01 INFO  Depot - opening the gates");
        Depot depot = new Depot(new LabelReader());
        depot.receive(Arrays.asList(scans));
    }
}
