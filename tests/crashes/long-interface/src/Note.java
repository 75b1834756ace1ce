package org.jmock.album;

/** A note that was taken of a call. */
public interface Note {
    String title();

    String[] lines();

    int columns();

    int number();

    long time();

    boolean isOpen();

    boolean isPinned();

    Note before();

    void pin();

    void close();
}
