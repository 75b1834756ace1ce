package javax.inject;

/** Stands for the annotation of that name. */
public @interface Inject {}
