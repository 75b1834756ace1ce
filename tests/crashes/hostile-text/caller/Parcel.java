package post;

import labels.Labels;

public class Parcel {
    private String address;

    @Override
    public String toString() {
        return address;
    }

    public static void main(String[] arguments) {
        System.out.println(new Labels(20).label(new Parcel()));
    }
}
