package lobby;

import desk.Clerk;
import desk.Envelope;
import desk.Note;

public class Lobby {
    public static void main(String[] arguments) {
        Note note = new Note() {
            @Override
            public String title() {
                return "lost umbrella";
            }

            @Override
            public boolean isUrgent() {
                return true;
            }
        };
        System.out.println(new Clerk().take(new Envelope("clerk", note)));
    }
}
