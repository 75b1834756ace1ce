package home;

import java.util.ArrayList;
import java.util.List;

/** What is made of texts, and has parts. */
public class Album {
    private Album() {}

    public static Album parse(String text) {
        return new Album();
    }

    public static List<Photo> photos(String text) {
        return new ArrayList<>();
    }

    public Photo cover() {
        return new Photo();
    }

    public static class Photo {
        private boolean framed;

        public Photo() {}

        public Photo framed(boolean framed) {
            this.framed = framed;
            return this;
        }

        public boolean show() {
            return framed;
        }
    }
}
