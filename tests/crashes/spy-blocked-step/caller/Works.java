package town;

import well.Pump;

public class Works {
    public static void main(String[] arguments) {
        Pump pump = new Pump("north", 2) {
            @Override
            protected void connect() {}

            @Override
            protected boolean hasPower() {
                return true;
            }
        };
        System.out.println(pump.lift(25));
    }
}
