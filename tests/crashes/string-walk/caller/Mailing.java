package office;

import letters.NameFiller;

public class Mailing {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new NameFiller().fill("Dear ${first} ${last"));
    }
}
