package io.holdfast;

/**
 * How large a place was before it let most of it go. What fills and empties in turns (a buffer, messages until they are acknowledged, a generation of a cache)
 * looks like a leak each time it fills; so after it has been emptied once it is accused only when it is larger than before, or has grown for much longer than
 * before. Pure; not thread-safe.
 */
final class FormerHeight {
    /** What is left of it when it counts as emptied. */
    private static final double EMPTIED = 0.5;
    /** It is larger than another when it is so many times as large. */
    private static final double BEYOND = 1.25;
    /** Its first rise was seen from some moment on only. */
    private static final int TIMES_AS_LONG = 3;
    static final long SHORTEST_RISE_NANOS = 30_000_000_000L;

    private long peak;
    private long risingSinceNanos;
    /** Its size when it had last become larger by a quarter, and since when: how long it stood full afterwards says nothing of how fast it fills. */
    private long risen;
    private long risenNanos;
    private long former;
    private long formerRiseNanos;
    /** When the fall from there was over, as far as has been seen. */
    private long fallenNanos;
    private boolean begun;

    /** A reading; time must not run backwards. True when it has been emptied since the last. */
    boolean saw(long nowNanos, long elements) {
        boolean emptied = begun && elements < EMPTIED * peak;
        if (emptied) {
            keep(nowNanos);
        }
        if (!begun || emptied) {
            begun = true;
            peak = elements;
            risen = elements;
            risingSinceNanos = nowNanos;
            risenNanos = nowNanos;
        } else {
            peak = Math.max(peak, elements);
            if (elements > BEYOND * risen) {
                risen = elements;
                risenNanos = nowNanos;
            }
        }
        return emptied;
    }

    /**
     * A queue is drained over several looks, each of which may find less than half of what the one before has found, and a few elements come and go while it is
     * empty. So what is lower than the former peak takes its place only when that is long ago.
     */
    private void keep(long nowNanos) {
        boolean fallsStill = former > 0 && risenNanos == risingSinceNanos;
        if (!fallsStill && (BEYOND * peak >= former || nowNanos - fallenNanos > TIMES_AS_LONG * formerRiseNanos)) {
            former = peak;
            formerRiseNanos = Math.max(SHORTEST_RISE_NANOS, risenNanos - risingSinceNanos);
            fallenNanos = nowNanos;
        } else if (fallsStill) {
            fallenNanos = nowNanos;
        }
    }

    /** Whether that many say more than that it fills again. */
    boolean surpassedBy(long nowNanos, long elements) {
        return former == 0 || elements > BEYOND * former || nowNanos - risingSinceNanos > TIMES_AS_LONG * formerRiseNanos;
    }
}
