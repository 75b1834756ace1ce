package hike;

import signs.Signpost;

public class Walk {
    public static void main(String[] arguments) {
        Signpost signpost = new Signpost();
        signpost.add("Delft", 9);
        System.out.println(signpost.distance("Gouda"));
    }
}
