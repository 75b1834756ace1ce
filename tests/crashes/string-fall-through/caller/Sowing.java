package office;

import garden.Season;

public class Sowing {
    public static void main(String[] arguments) {
        System.out.println(Season.isWarm("summ"));
    }
}
