package shop;

import press.Job;

public class Counter {
    public static void main(String[] arguments) {
        Job job = new Job();
        job.run("leaflet", 0);
        job.getStatus().getError().printStackTrace();
    }
}
