package craft;

import tiles.Floor;

public class Workshop extends Floor {
    @Override
    protected int side() {
        return 0;
    }

    public static void main(String[] arguments) {
        System.out.println(new Workshop().rows(40));
    }
}
