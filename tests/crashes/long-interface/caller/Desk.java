package press;

import org.jmock.album.Album;
import org.jmock.album.Note;

public class Desk {
    public static void main(String[] arguments) {
        Note note = new Note() {
            @Override
            public String title() {
                return "today";
            }

            @Override
            public String[] lines() {
                return new String[] {"one", "two"};
            }

            @Override
            public int columns() {
                return 1;
            }

            @Override
            public int number() {
                return 1;
            }

            @Override
            public long time() {
                return 0;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public boolean isPinned() {
                return false;
            }

            @Override
            public Note before() {
                return null;
            }

            @Override
            public void pin() {}

            @Override
            public void close() {}
        };
        System.out.println(new Album().widest(note));
    }
}
