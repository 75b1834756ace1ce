package office;

import post.Subject;

public class Office {
    public static void main(String[] arguments) {
        System.out.println(new Subject("Re: our invoice no. (copy)").invoice());
    }
}
