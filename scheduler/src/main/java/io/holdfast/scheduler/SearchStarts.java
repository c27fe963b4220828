package io.holdfast.scheduler;

/**
 * Least time between the starts of two searches. A candidate that is already explained may stay a candidate for hours; searching for it
 * again is worth a tenth of a core at the most, whatever the other gates allow. Not thread-safe.
 */
final class SearchStarts {
    static final long MIN_START_INTERVAL_NS = 2_000_000_000L;
    static final int EXPLAINED_CPU_FACTOR = 10;

    private boolean everStarted;
    private long startNanos;
    private long intervalNanos = MIN_START_INTERVAL_NS;

    void started(long nowNanos) {
        everStarted = true;
        startNanos = nowNanos;
        intervalNanos = MIN_START_INTERVAL_NS;
    }

    /** @param explained whether no candidate was left without a chain */
    void ended(long cpuNanos, boolean explained) {
        intervalNanos = explained ? Math.max(MIN_START_INTERVAL_NS, EXPLAINED_CPU_FACTOR * cpuNanos) : MIN_START_INTERVAL_NS;
    }

    /** 0 = a search may start now. */
    long opensInNanos(long nowNanos) {
        return everStarted ? Math.max(0, intervalNanos - (nowNanos - startNanos)) : 0;
    }
}
