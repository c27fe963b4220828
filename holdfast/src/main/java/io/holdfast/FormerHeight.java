package io.holdfast;

/**
 * How large a place was before it let most of it go. What fills and empties in turns (a buffer, messages until they are acknowledged, a generation of a cache)
 * looks like a leak each time it fills; so after it has been emptied once it is accused only when it is larger than before, or has grown for much longer than
 * before. Pure; not thread-safe.
 */
final class FormerHeight {
    /** What is left of it when it counts as emptied. */
    private static final double EMPTIED = 0.5;
    private static final double BEYOND = 1.25;
    /** Its first rise was seen from some moment on only. */
    private static final int TIMES_AS_LONG = 3;
    static final long SHORTEST_RISE_NANOS = 30_000_000_000L;

    private long peak;
    private long risingSinceNanos;
    private long former;
    private long formerRiseNanos;
    private boolean begun;

    /** A reading; time must not run backwards. True when it has been emptied since the last. */
    boolean saw(long nowNanos, long elements) {
        if (!begun) {
            begun = true;
            risingSinceNanos = nowNanos;
            peak = elements;
        } else if (elements < EMPTIED * peak) {
            former = peak;
            formerRiseNanos = Math.max(SHORTEST_RISE_NANOS, nowNanos - risingSinceNanos);
            risingSinceNanos = nowNanos;
            peak = elements;
            return true;
        } else {
            peak = Math.max(peak, elements);
        }
        return false;
    }

    /** Whether that many say more than that it fills again. */
    boolean surpassedBy(long nowNanos, long elements) {
        return former == 0 || elements > BEYOND * former || nowNanos - risingSinceNanos > TIMES_AS_LONG * formerRiseNanos;
    }
}
