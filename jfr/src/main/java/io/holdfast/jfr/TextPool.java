package io.holdfast.jfr;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Knows for which threads Flight Recorder's table of texts can be trusted, see {@link Texts}. Any thread; no lock. */
final class TextPool {
    /** Threads remembered; with more, all are forgotten, which only costs padding. */
    static final int MAX_THREADS = 1_024;

    private final boolean trusted;
    /** Chunk in which a thread wrote its first text of ours. */
    private final Map<Long, Long> writers = new ConcurrentHashMap<>();
    private volatile long chunk;

    /** @param trusted whether this JVM's table can always be trusted */
    TextPool(boolean trusted) {
        this.trusted = trusted;
    }

    static TextPool ofThisJvm() {
        return new TextPool(numbersItsTables());
    }

    /** A chunk has begun. Called by Flight Recorder, one call at a time; were it never called, all texts would be padded. */
    void chunkBegun() {
        chunk++;
    }

    /** How the current thread has to write its texts now. */
    Texts texts() {
        if (trusted) {
            return Texts.PLAIN;
        }
        if (writers.size() >= MAX_THREADS) {
            writers.clear();
        }
        long now = chunk;
        Long first = writers.putIfAbsent(Thread.currentThread().getId(), now);
        return first != null && first < now ? Texts.PLAIN : Texts.PADDED;
    }

    /** Asks for the field by which later JDKs tell the tables apart; it is not read. */
    private static boolean numbersItsTables() {
        try {
            Class.forName("jdk.jfr.internal.StringPool", false, null).getDeclaredField("generation");
            return true;
        } catch (ReflectiveOperationException | LinkageError e) {
            return false;
        }
    }
}
