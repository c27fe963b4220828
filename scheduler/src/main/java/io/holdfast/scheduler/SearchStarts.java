package io.holdfast.scheduler;

/** Least time between the starts of two searches, so that many short ones do not follow each other like one without pauses. Not thread-safe. */
final class SearchStarts {
    static final long MIN_START_INTERVAL_NS = 2_000_000_000L;

    private boolean everStarted;
    private long startNanos;

    void started(long nowNanos) {
        everStarted = true;
        startNanos = nowNanos;
    }

    /** 0 = a search may start now. */
    long opensInNanos(long nowNanos) {
        return everStarted ? Math.max(0, MIN_START_INTERVAL_NS - (nowNanos - startNanos)) : 0;
    }
}
