package school;

import java.util.ArrayList;
import java.util.List;
import javax.inject.Inject;

/** A component that finds others of a kind when it needs them. */
public class Day {
    @Inject private Registry registry;

    public void begin(String pupil) {
        StringBuilder notes = new StringBuilder();
        for (Break it : registry.all(Break.class)) {
            notes.append(it.place()).append(',');
        }
        for (Meal meal : registry.all(Meal.class)) {
            notes.append(meal.dish()).append(';');
        }
        if (notes.indexOf(",") < 0 || notes.indexOf(";") < 0) {
            return;
        }
        List<Lesson> lessons = new ArrayList<>(registry.all(Lesson.class));
        lessons.sort((one, other) -> Integer.compare(one.order(), other.order()));
        for (Lesson lesson : lessons) {
            lesson.hold(pupil);
        }
    }
}
