package io.holdfast.scheduler;

/**
 * Keeps the longest slice of a pass near the target by the edge budget, and by the cadence where the budget can move no further. A run of
 * comfortable passes borrows: the ceiling rises up to four times the base. A target of 0 means no deadline, so nothing is controlled.
 * Not thread-safe.
 */
final class PauseController {
    static final long PASS_CADENCE_NS = 1_000_000_000L;
    static final long MIN_EFFECTIVE_CADENCE_NS = 10_000_000L;
    static final long MAX_EFFECTIVE_CADENCE_NS = 4_000_000_000L;
    static final int MIN_EFFECTIVE_BUDGET = 2_000;
    static final long CADENCE_NS_PER_EDGE_OVERFLOW = 1_000_000L;
    static final int BORROW_WARMUP_PASSES = 5;
    static final double BORROW_UNDER_TARGET_FRACTION = 0.5;
    static final double BORROW_GROWTH_FRACTION = 0.25;
    static final int BORROW_CEILING_MULTIPLIER = 4;

    private static final double NANOS_PER_MILLI = 1_000_000.0;

    private int base;
    private int borrowed;
    private int comfortable;
    private int effective;
    private long targetNanos;
    private long cadenceNanos;
    private PausePid pid;

    PauseController(int base, long targetNanos, long cadenceNanos) {
        this.base = base;
        this.effective = base;
        this.targetNanos = targetNanos;
        this.cadenceNanos = cadenceNanos;
        this.pid = new PausePid(targetNanos / NANOS_PER_MILLI);
    }

    int budget() {
        return effective;
    }

    int ceiling() {
        return base + borrowed;
    }

    // Relative to the base: with the constant alone a base of 2 000 or less could never shrink, and all control went to the cadence.
    int floor() {
        return Math.max(1, Math.min(Math.min(MIN_EFFECTIVE_BUDGET, ceiling()), base / 2));
    }

    long targetNanos() {
        return targetNanos;
    }

    long cadenceNanos() {
        return cadenceNanos;
    }

    /** A new target starts a new controller; what it learned was about the old one. */
    void retarget(long nanos) {
        if (nanos != targetNanos) {
            targetNanos = nanos;
            pid = new PausePid(nanos / NANOS_PER_MILLI);
        }
    }

    void rebase(int budget) {
        base = budget;
        effective = budget;
        borrowed = 0;
        comfortable = 0;
    }

    void restoreCadence(long nanos) {
        cadenceNanos = nanos;
    }

    /** A pass without root enumeration. */
    void onPass(long sliceNanos) {
        if (targetNanos <= 0) {
            return;
        }
        borrow(sliceNanos);
        long desired = effective + Math.round(pid.signal((targetNanos - sliceNanos) / NANOS_PER_MILLI));
        effective = (int) Math.max(floor(), Math.min(ceiling(), desired));
        long overflow = desired - effective;
        if (overflow < 0) {
            cadenceNanos = Math.min(cadenceNanos - overflow * CADENCE_NS_PER_EDGE_OVERFLOW, MAX_EFFECTIVE_CADENCE_NS);
        } else if (overflow > 0) {
            cadenceNanos = Math.max(cadenceNanos - overflow * CADENCE_NS_PER_EDGE_OVERFLOW, MIN_EFFECTIVE_CADENCE_NS);
        }
    }

    /** A pass with root enumeration: it has no deadline, so it teaches nothing about the budget, but a long one ends the borrowing. */
    void onRootEnumeration(long sliceNanos) {
        if (targetNanos > 0 && !comfortable(sliceNanos)) {
            comfortable = 0;
            borrowed = 0;
            effective = Math.min(effective, base);
        }
    }

    private void borrow(long sliceNanos) {
        if (!comfortable(sliceNanos)) {
            comfortable = 0;
            borrowed = 0;
            return;
        }
        comfortable = Math.min(BORROW_WARMUP_PASSES, comfortable + 1);
        if (comfortable == BORROW_WARMUP_PASSES) {
            long more = borrowed + Math.round(BORROW_GROWTH_FRACTION * base);
            borrowed = (int) Math.min(more, (long) (BORROW_CEILING_MULTIPLIER - 1) * base);
        }
    }

    private boolean comfortable(long sliceNanos) {
        return sliceNanos <= BORROW_UNDER_TARGET_FRACTION * targetNanos;
    }
}
