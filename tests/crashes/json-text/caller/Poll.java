package depot;

import feed.Channel;

public class Poll {
    public static void main(String[] arguments) {
        System.out.println(new Channel("{\"title\": {\"en\": \"News\"}}").title());
    }
}
