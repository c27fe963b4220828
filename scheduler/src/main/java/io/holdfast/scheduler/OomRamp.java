package io.holdfast.scheduler;

/**
 * How target, cadence and base budget move while the heap is projected to be exhausted within half an hour. Follows the raw projection
 * (seconds; negative or not a number = none), not the urgent latch. Pure functions of it.
 */
final class OomRamp {
    static final double OOM_RAMP_START_S = 1_800;
    static final double URGENT_PAUSE_TARGET_MS = 100;
    static final long URGENT_CADENCE_NS = 10_000_000L;
    static final int BUDGET_FACTOR = 4;
    static final int MAX_REFERENCE_CHAINS_BUDGET = 1_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final long configuredTargetNanos;
    private final int configuredBudget;

    OomRamp(long configuredTargetNanos, int configuredBudget) {
        this.configuredTargetNanos = configuredTargetNanos;
        this.configuredBudget = configuredBudget;
    }

    boolean inBand(double seconds) {
        return seconds >= 0 && seconds < OOM_RAMP_START_S;
    }

    /**
     * Whole milliseconds, as documented, so that the controller is not started anew at every tick. Never below the configured target: the
     * formula alone would tighten a target above 100 ms just when more work is wanted.
     */
    long targetNanos(double seconds) {
        if (configuredTargetNanos == 0) {
            return 0;
        }
        double millis = configuredTargetNanos / (double) NANOS_PER_MILLI;
        double ramped = millis * Math.pow(URGENT_PAUSE_TARGET_MS / Math.max(millis, 1), position(seconds));
        return Math.max(configuredTargetNanos, Math.round(ramped) * NANOS_PER_MILLI);
    }

    long cadenceNanos(double seconds) {
        double idle = PauseController.PASS_CADENCE_NS;
        return Math.round(idle * Math.pow(URGENT_CADENCE_NS / idle, position(seconds)));
    }

    int baseBudget() {
        return (int) Math.min((long) BUDGET_FACTOR * configuredBudget, MAX_REFERENCE_CHAINS_BUDGET);
    }

    /** 0 where the ramp starts, 1 at exhaustion. */
    private static double position(double seconds) {
        return 1 - seconds / OOM_RAMP_START_S;
    }
}
