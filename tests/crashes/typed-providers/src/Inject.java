package javax.inject;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The annotation of JSR 330, whose jar the program does not have. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Inject {}
