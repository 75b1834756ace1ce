package post;

import javax.inject.Inject;

/** What every office is given. */
abstract class Office {
    @Inject private Journal journal;

    void note(String text) {
        journal.note(text);
    }
}
