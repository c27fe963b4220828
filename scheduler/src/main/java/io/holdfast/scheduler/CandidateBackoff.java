package io.holdfast.scheduler;

/**
 * Spaces the passes of a search that makes no progress with its candidates: 1, 2, 4, 8, 16 times the usual cost of a pass. Without it the
 * hundredfold refill of the CPU budget would let such a search hold a core. Cost is CPU time: on a busy machine a pass may wait for a core a hundred
 * times longer than it runs. Not thread-safe.
 */
final class CandidateBackoff {
    static final int CANARY_BACKOFF_MULT_MAX = 16;

    private int multiplier = 1;
    private boolean progressed;
    private boolean measured;
    private long usualCostNanos;
    private boolean chased;
    private long lastChaseEndNanos;

    /** A search started, a candidate got a slot, or one was resolved. */
    void progress() {
        multiplier = 1;
        progressed = true;
    }

    /**
     * Every pass keeps the usual cost warm; only passes that sought something move the multiplier.
     *
     * @param sought     whether candidates were unresolved when the pass began
     * @param unresolved whether candidates are unresolved now
     * @param costNanos  CPU time of the pass
     */
    void onPass(boolean sought, boolean unresolved, long costNanos, long endNanos) {
        usualCostNanos = measured ? usualCostNanos / 5 * 4 + costNanos / 5 : costNanos;
        measured = true;
        if (sought) {
            chased = true;
            lastChaseEndNanos = endNanos;
        }
        if (unresolved && !progressed) {
            multiplier = Math.min(CANARY_BACKOFF_MULT_MAX, multiplier * 2);
        }
        progressed = false;
    }

    /** Time until the next pass may run; 0 = now. */
    long opensInNanos(long nowNanos) {
        if (multiplier <= 1 || !chased) {
            return 0;
        }
        return Math.max(0, multiplier * usualCostNanos - (nowNanos - lastChaseEndNanos));
    }

    int multiplier() {
        return multiplier;
    }
}
