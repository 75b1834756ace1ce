package shed;

import looms.Loom;

public class Shed {
    public static void main(String[] arguments) {
        System.out.println(new Loom().weave("warp, weft, treadle, warp"));
    }
}
