package office;

import survey.Profile;

public class Surveyor {
    public static void main(String[] arguments) {
        double[] heights = {14.5, 9.25, 9.5, 7};
        double[] slopes = {5, 0.5, -1.25};
        System.out.println(new Profile(heights, slopes).settled(0));
    }
}
