package feed;

import java.util.Map;

/** A channel of news, as a server tells it. */
public class Channel {
    private final Map<String, Object> members;

    public Channel(String json) {
        members = new Reader(json).object();
    }

    public String title() {
        return members.containsKey("title") ? first("title") : "untitled";
    }

    /** The bug: a title may be given in several languages. */
    private String first(String name) {
        return (String) members.get(name);
    }
}
