package io.holdfast.refchains;

/**
 * When the heap is walked without a candidate, only to see which containers grow: soon after the start, then ever more seldom, for what has not been seen in
 * an hour is slow, and seen from looks some minutes apart as well. Every search counts as such a look. Not thread-safe.
 */
final class SurveySchedule {
    /** Before that a program has hardly begun. */
    static final long FIRST_NANOS = 3_000_000_000L;
    static final long SHORTEST_REST_NANOS = 3_000_000_000L;
    static final long LONGEST_REST_NANOS = 300_000_000_000L;
    /** The rest grows with the age of the program: an eighth of it. */
    static final long AGE_PER_REST = 8;
    /** A search of a second of CPU time is followed by 200 seconds of rest, half a percent of a core. */
    static final long REST_PER_COST = 200;

    /** What the first searches cost says little about the next: they are interpreted, and read how each class is made. */
    static final int COLD_SEARCHES = 3;
    /** Nor does it count while nothing is known to compare with; what the thread may cost in all bounds it then. */
    static final long EARLY_NANOS = 120_000_000_000L;

    private final long startNanos;
    private long dueNanos;
    private int searches;

    SurveySchedule(long startNanos) {
        this.startNanos = startNanos;
        dueNanos = startNanos + FIRST_NANOS;
    }

    boolean due(long nowNanos) {
        return nowNanos - dueNanos >= 0;
    }

    /** A search has ended that took so much CPU time. */
    void ended(long cpuNanos, long nowNanos) {
        long byAge = Math.max(SHORTEST_REST_NANOS, (nowNanos - startNanos) / AGE_PER_REST);
        boolean cold = ++searches <= COLD_SEARCHES || nowNanos - startNanos < EARLY_NANOS;
        long byCost = cold ? 0 : cpuNanos * REST_PER_COST;
        dueNanos = nowNanos + Math.min(LONGEST_REST_NANOS, Math.max(byAge, byCost));
    }
}
