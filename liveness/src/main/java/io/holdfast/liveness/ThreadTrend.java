package io.holdfast.liveness;

/** Survivors of one class that one thread allocated, fold by fold. */
final class ThreadTrend {
    static final int TID_TREND_RING_SIZE = 16;
    static final int TID_TREND_MIN_FILL_FOR_TREND = 6;
    static final int TID_RETAINED_COUNT_BAR = 8;

    final long threadId;
    private final Ring ring = new Ring(TID_TREND_RING_SIZE);
    private int streak;

    ThreadTrend(long threadId) {
        this.threadId = threadId;
    }

    /** Adds one fold; 0 and 0 when nothing of the thread survived. */
    void push(int distinctAges, int retained) {
        ring.push(distinctAges);
        boolean qualifies = retained > 0
                && (retained >= TID_RETAINED_COUNT_BAR || GrowthBar.cleared(ring, TID_TREND_MIN_FILL_FOR_TREND));
        streak = GrowthBar.streak(streak, qualifies);
    }

    int streak() {
        return streak;
    }

    /** Whether this trend says less than the other: shorter streak, then fewer values. */
    boolean weakerThan(ThreadTrend other) {
        return streak != other.streak ? streak < other.streak : ring.fill() < other.ring.fill();
    }
}
