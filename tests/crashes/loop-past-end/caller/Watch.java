package pilots;

import harbour.TideTable;

public class Watch {
    public static void main(String[] arguments) {
        System.out.println(new TideTable().flow(612, 387));
    }
}
