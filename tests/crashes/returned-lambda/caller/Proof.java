package desk;

import press.Rules;

public class Proof {
    public static void main(String[] arguments) {
        System.out.println(new Rules(40).fits().test("Late  edition"));
    }
}
