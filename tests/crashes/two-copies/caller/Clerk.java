package clerks;

import office.Counter;

public class Clerk {
    public static void main(String[] arguments) {
        System.out.println(new Counter().find("12 #"));
    }
}
