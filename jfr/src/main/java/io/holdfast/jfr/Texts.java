package io.holdfast.jfr;

import jdk.jfr.consumer.RecordedEvent;

/*
 * Why texts are sometimes padded
 *
 * Flight Recorder writes a text of 17 to 127 characters that it has seen before as a number, and the text once a chunk. Which texts are in the chunk
 * already is kept in one table for all threads; the table is emptied by the first event that a thread writes after the chunk has changed. On JDK 17 only
 * threads do so that wrote events before the change: a thread that writes its first event finds the table of the chunk before, and the texts of its
 * events are missing in this chunk: they read as null. Whoever dumps a recording is such a thread, more often than not: a hook that runs when the JVM
 * ends, the thread of the first jcmd, one of the application's. Texts of 128 characters are always written out. Later JDKs number the tables.
 */
/**
 * Texts of events as they have to be written on the current thread.
 */
enum Texts {
    /** As they are. */
    PLAIN,
    /** So long that Flight Recorder writes them out, by spaces at the end. */
    PADDED;

    private static final int LONGEST_SHORT = 16;
    private static final int SHORTEST_LONG = 128;
    private static final char PAD = ' ';
    /** For texts that end with a space themselves. */
    private static final char OTHER_PAD = '\u00a0';

    /** The text; null stays null. */
    String of(String text) {
        if (this == PLAIN || text == null || text.length() <= LONGEST_SHORT || text.length() >= SHORTEST_LONG) {
            return text;
        }
        char pad = text.charAt(text.length() - 1) == PAD ? OTHER_PAD : PAD;
        return text + String.valueOf(pad).repeat(SHORTEST_LONG - text.length());
    }

    /** A name, cut at {@link EventText#MAX_NAME}; null stays null. */
    String name(String name) {
        return of(EventText.name(name));
    }

    /** A text of an event, as it was before {@link #of}. */
    static String read(RecordedEvent event, String field) {
        return unpadded(event.getString(field));
    }

    static String unpadded(String text) {
        if (text == null || text.length() != SHORTEST_LONG) {
            return text;
        }
        char last = text.charAt(SHORTEST_LONG - 1);
        int end = SHORTEST_LONG;
        while ((last == PAD || last == OTHER_PAD) && end > 0 && text.charAt(end - 1) == last) {
            end--;
        }
        return text.substring(0, end);
    }
}
