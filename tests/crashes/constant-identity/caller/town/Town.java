package town;

import post.Letter;
import post.Office;
import post.Route;
import post.Senders;

public class Town {
    public static void main(String[] arguments) {
        System.out.println(new Office().sort(new Letter() {
            @Override
            public Route route() {
                return Route.LOCAL;
            }

            @Override
            public Object sender() {
                return Senders.UNKNOWN;
            }

            @Override
            public String address() {
                return "Mill Lane";
            }
        }));
    }
}
