package io.holdfast.scheduler;

/** Set below five minutes to exhaustion; released only after five looks in a row at ten minutes or more, or at no projection. Not thread-safe. */
final class UrgentLatch {
    static final double LATCH_BELOW_S = 300;
    static final double CLEAR_FROM_S = 600;
    static final int RELEASE_TICKS = 5;

    private boolean latched;
    private int releaseTicks;

    /** Once per iteration, also while the gates block. */
    void observe(double secondsToExhaustion) {
        boolean known = secondsToExhaustion >= 0;
        if (known && secondsToExhaustion < LATCH_BELOW_S) {
            latched = true;
            releaseTicks = 0;
        } else if (known && secondsToExhaustion < CLEAR_FROM_S) {
            releaseTicks = 0;
        } else if (latched && ++releaseTicks >= RELEASE_TICKS) {
            latched = false;
            releaseTicks = 0;
        }
    }

    boolean latched() {
        return latched;
    }
}
