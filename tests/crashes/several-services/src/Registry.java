package school;

import java.util.List;

/** Knows all components; those of one kind together. */
public interface Registry {
    <T> List<T> all(Class<T> kind);
}
