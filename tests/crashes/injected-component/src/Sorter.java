package post;

import javax.inject.Inject;

/** A component: a container makes it and fills its fields. */
public class Sorter extends Office {
    @Inject private Register register;

    public String sort(String code) {
        note("sorting " + code);
        if (!register.isOpen()) {
            throw new IllegalStateException("closed");
        }
        Route route = register.route(code);
        if (route == null) {
            throw new IllegalArgumentException("no route for " + code);
        }
        return code + " by " + route.label();
    }
}
