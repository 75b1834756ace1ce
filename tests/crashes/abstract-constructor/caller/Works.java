package town;

import prints.Press;

public class Works extends Press {
    Works() {
        super("rotary 7", -3);
    }

    @Override
    protected int width() {
        return 0;
    }

    public static void main(String[] arguments) {
        System.out.println(new Works().rolls());
    }
}
