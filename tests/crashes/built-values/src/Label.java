package parcels;

import java.io.File;
import java.net.URL;
import java.util.Date;
import java.util.Locale;
import java.util.regex.Pattern;

/** What is known of a parcel; all of it must be. */
public class Label {
    final Locale language;
    final Date day;
    final URL office;
    final Pattern places;
    final File picture;

    public Label(Locale language, Date day, URL office, Pattern places, File picture) {
        if (language == null || day == null || office == null || places == null || picture == null) {
            throw new IllegalArgumentException("a label is complete");
        }
        this.language = language;
        this.day = day;
        this.office = office;
        this.places = places;
        this.picture = picture;
    }
}
