package yard;

import gates.Gate;

public class Yard {
    public static void main(String[] arguments) {
        Gate gate = new Gate();
        gate.show("pallet 88-Q; bay=west");
        System.out.println(gate.lead("two north, one east\nthen up"));
    }
}
