package client;

import feed.JsonFeed;
import feed.Quota;

public class Client {
    public static void main(String[] arguments) {
        new Quota().read(new JsonFeed("{\"limit\":3}"));
    }
}
