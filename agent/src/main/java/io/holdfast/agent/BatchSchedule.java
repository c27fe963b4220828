package io.holdfast.agent;

/**
 * When the VM may be stopped for a batch of retransformations. A batch costs 10–20 ms of everybody's time in a program of 5 000 classes and 30–120 ms in one
 * of 14 000, whatever its own size, and some seconds of compiling anew what was compiled from the classes it changes, so: few of them.
 * Regular batches come 5, 10, 15 and 20 s after the start, then at gaps that double from 10 s to 10 min:
 * the sampler sees one allocation per refilled buffer, some 25 a second in a program that makes 20 MB/s, so a small leak's site shows up once in ten
 * seconds, and every batch it waits for costs a cohort. A batch may be brought forward when a hot site has to
 * lose its hook. Never two within 5 s, and after the first minute never three within a minute. What batches take in all is budgeted too: three seconds at
 * the start and a hundredth of the time after it; where the machine is slow or has very many classes, the next batch waits. So is how long threads stand still
 * for them, where the VM tells, as soon as there were two: 120 ms and a thousandth of the time until these are 150 ms, and a twenty-thousandth of the time from
 * then on; and a regular batch comes no sooner than 200 times the last stop after it, for what stops long is large and still starting. A hot site that has to
 * lose its hook does not wait for the stops longer than half a minute, or a thousand times the last stop, and no batch waits for it longer than half an hour. Pure; not thread-safe.
 */
final class BatchSchedule {
    static final long SECOND = 1_000_000_000L;
    static final long FIRST_GAP = 5 * SECOND;
    static final int EVEN_BATCHES = 4;
    static final long LONGEST_GAP = 600 * SECOND;
    static final long MINUTE = 60 * SECOND;
    static final long FIRST_ALLOWANCE = 3 * SECOND;
    static final int ALLOWANCE_PARTS = 100;
    /** Batches that may stop the VM for as long as they do: before these nothing is sampled. */
    static final int FREE_BATCHES = 2;
    static final long FIRST_STOPS = 120_000_000L;
    static final int STOPS_PARTS = 1_000;
    static final long LEARNING_STOPS = 150_000_000L;
    static final int LATER_STOPS_PARTS = 20_000;
    /** Between a stop and the next regular batch lies at least that many times the stop. */
    static final int REST_FACTOR = 200;
    static final long HOT_WAIT = 30 * SECOND;
    static final int HOT_REST_FACTOR = 1_000;
    /** No stop counts for more: what was longer was a collection that came at the same time. */
    static final long LONGEST_STOP = 150_000_000L;
    /** No batch waits longer for the stops before it: one of them may have been long only because a collection ran at the same time. */
    static final long LONGEST_REST = 1_800 * SECOND;

    private final long startNanos;
    private long gap = FIRST_GAP;
    private int regular;
    private long regularDue;
    /** The last two batches. */
    private long last;
    private long lastButOne;
    private int batches;
    private long taken;
    private long stopped;
    private long lastStop;

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
        if (!mayStop(nowNanos) && !(urgent && nowNanos - last >= Math.max(HOT_WAIT, HOT_REST_FACTOR * lastStop))) {
            return false;
        }
        return urgent || nowNanos - regularDue >= 0;
    }

    /** Whether one more stop like the last is within what is allowed by now. */
    private boolean mayStop(long nowNanos) {
        if (batches == 0 || nowNanos - last >= LONGEST_REST) {
            return true;
        }
        return (batches < FREE_BATCHES || stopped + lastStop <= stopsAllowed(nowNanos - startNanos)) && nowNanos - last >= REST_FACTOR * lastStop;
    }

    static long stopsAllowed(long elapsedNanos) {
        long learning = (LEARNING_STOPS - FIRST_STOPS) * STOPS_PARTS;
        return elapsedNanos <= learning ? FIRST_STOPS + elapsedNanos / STOPS_PARTS : LEARNING_STOPS + (elapsedNanos - learning) / LATER_STOPS_PARTS;
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

    /** For how long a batch has stopped the VM's threads, in nanoseconds. */
    void stopped(long nanos) {
        lastStop = Math.max(0, Math.min(LONGEST_STOP, nanos));
        stopped += lastStop;
    }

    int batches() {
        return batches;
    }
}
