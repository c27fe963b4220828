package io.holdfast.agent;

/**
 * When the VM may be stopped for a batch of retransformations. A batch costs 10–20 ms of everybody's time whatever its size, so: few of them.
 * Regular batches come 5, 10, 15 and 20 s after the start, then at gaps that double from 10 s to 10 min:
 * the sampler sees one allocation per refilled buffer, some 25 a second in a program that makes 20 MB/s, so a small leak's site shows up once in ten
 * seconds, and every batch it waits for costs a cohort. A batch may be brought forward when a hot site has to
 * lose its hook. Never two within 5 s, and after the first minute never three within a minute. What batches take in all is budgeted too: three seconds at
 * the start and a hundredth of the time after it; where the machine is slow or has very many classes, the next batch waits. Pure; not thread-safe.
 */
final class BatchSchedule {
    static final long SECOND = 1_000_000_000L;
    static final long FIRST_GAP = 5 * SECOND;
    static final int EVEN_BATCHES = 4;
    static final long LONGEST_GAP = 600 * SECOND;
    static final long MINUTE = 60 * SECOND;
    static final long FIRST_ALLOWANCE = 3 * SECOND;
    static final int ALLOWANCE_PARTS = 100;

    private final long startNanos;
    private long gap = FIRST_GAP;
    private int regular;
    private long regularDue;
    /** The last two batches. */
    private long last;
    private long lastButOne;
    private int batches;
    private long taken;

    BatchSchedule(long startNanos) {
        this.startNanos = startNanos;
        this.regularDue = startNanos + FIRST_GAP;
    }

    /** Whether a batch may run now that has something to do. */
    boolean due(long nowNanos, boolean urgent) {
        if (nowNanos - startNanos < FIRST_GAP || (batches >= 1 && nowNanos - last < FIRST_GAP)) {
            return false;
        }
        if (taken > FIRST_ALLOWANCE + (nowNanos - startNanos) / ALLOWANCE_PARTS) {
            return false;
        }
        if (batches >= 2 && nowNanos - startNanos > MINUTE && nowNanos - lastButOne < MINUTE) {
            return false;
        }
        return urgent || nowNanos - regularDue >= 0;
    }

    /** A batch has run. One that was brought forward leaves the regular ones where they are. */
    void ran(long nowNanos) {
        if (nowNanos - regularDue >= 0) {
            gap = ++regular < EVEN_BATCHES ? FIRST_GAP : Math.min(2 * gap, LONGEST_GAP);
            regularDue = nowNanos + gap;
        }
        lastButOne = last;
        last = nowNanos;
        batches++;
    }

    /** What a batch took, in nanoseconds, whoever asked for it. */
    void took(long nanos) {
        taken += Math.max(0, nanos);
    }

    int batches() {
        return batches;
    }
}
