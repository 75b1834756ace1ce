package parcels;

import java.lang.reflect.Method;

public class Post {
    /** Takes a parcel, if the method that stamps it needs a stamp and nothing else. */
    public int send(Parcel parcel, Method stamp) {
        if (parcel.label == null || stamp.getParameterTypes().length != 1) {
            return 0;
        }
        if (parcel.weight < 70) {
            throw new IllegalArgumentException("that is a letter: " + parcel.label.office.getHost());
        }
        return share(parcel.weight);
    }

    /** The bug: only heavy parcels can be shared. */
    private static int share(int weight) {
        return 1000 / (weight / 500);
    }
}
