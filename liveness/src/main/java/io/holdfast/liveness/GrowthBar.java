package io.holdfast.liveness;

/** The documented bars of a population trend. */
final class GrowthBar {
    static final double LEAK_GROWTH_REL_MIN = 0.15;
    static final double LEAK_GROWTH_ABS_MIN = 1;
    static final int LEAK_TREND_HYSTERESIS_BASE = 5;
    static final int LEAK_TREND_HYSTERESIS_CORROBORATED = 3;
    /** Streaks stop counting here. */
    static final int MAX_STREAK = 255;

    private GrowthBar() { }

    /** Whether a ring with at least {@code minFill} values grows. */
    static boolean cleared(Ring ring, int minFill) {
        return ring.fill() >= minFill && ring.fit().rises(LEAK_GROWTH_REL_MIN, LEAK_GROWTH_ABS_MIN);
    }

    static int streak(int before, boolean qualifies) {
        return qualifies ? Math.min(MAX_STREAK, before + 1) : 0;
    }

    /** Consecutive qualifying folds a class and a thread need. */
    static int requiredStreak(boolean heapFloorRising) {
        return heapFloorRising ? LEAK_TREND_HYSTERESIS_CORROBORATED : LEAK_TREND_HYSTERESIS_BASE;
    }
}
