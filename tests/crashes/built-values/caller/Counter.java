package hall;

import java.io.File;
import java.net.URL;
import java.util.Date;
import java.util.Locale;
import java.util.regex.Pattern;
import parcels.Label;
import parcels.Parcel;
import parcels.Post;

public class Counter {
    public static void main(String[] arguments) throws Exception {
        URL office = new URL("http://localhost/north");
        Label label =
                new Label(Locale.FRENCH, new Date(7), office, Pattern.compile("[A-Z]+"), new File("a.png"));
        Parcel parcel = Parcel.Builder.parcel().label(label).weight(72).build();
        System.out.println(new Post().send(parcel, String.class.getMethod("concat", String.class)));
    }
}
