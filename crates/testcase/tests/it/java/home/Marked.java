package home;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation that may stand anywhere. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Marked {
    String name();

    int[] places() default {};

    Class<? extends Number> kind() default Integer.class;

    Home.Size size() default Home.Size.S;
}
