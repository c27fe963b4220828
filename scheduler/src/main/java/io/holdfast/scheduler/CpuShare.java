package io.holdfast.scheduler;

/**
 * What the Holdfast thread may cost in all, as a share of one core. The documented budgets know passes only; these accounts are charged with the
 * CPU time of whole iterations: liveness, passes, looks at containers, batches, reports. What cannot be put off (samples want to be drained)
 * makes searches wait, so the sum keeps to the share. Not thread-safe.
 *
 * <ul>
 * <li>A search for a candidate that never had a chain, and every search once it runs, may use 5 %.
 * <li>A search that only looks again at explained candidates starts when all that was spent without an unresolved candidate is paid off at the
 *     ordinary share (1 %). Its passes then come at the quick pace, for a search that takes minutes ends by its time limit.
 * <li>Looks at containers have half of either share, the larger one for a minute after a candidate was unresolved, because verdicts wait for them.
 * </ul>
 */
final class CpuShare {
    /** Of one core, while a candidate is unresolved; more only if the configured share is larger. */
    static final double UNRESOLVED_SHARE = 0.05;
    /** Where the configured share is 0, which allows one pass and no more; the thread's other work needs one all the same. */
    static final double LEAST_ORDINARY_SHARE = 0.01;
    /** How long verdicts on a candidate may take after its chain was found. */
    static final long VERDICT_NANOS = 60_000_000_000L;
    /** Passes come ten times a second; growth over seconds is not seen better by looking as often. */
    static final long LOOK_INTERVAL_NANOS = 1_000_000_000L;
    private static final double SHARE_FOR_LOOKS = 0.5;

    private final double ordinaryShare;
    private final double unresolvedShare;
    private final CostBudget ordinary;
    private final CostBudget quick;
    private final CostBudget looks;
    private boolean everLooked;
    private long lastLookNanos;
    private boolean everUnresolved;
    private long lastUnresolvedNanos;
    private long allowanceLeftNanos;

    /** {@code allowanceNanos} of CPU time are free, once. */
    CpuShare(double painBudget, long allowanceNanos) {
        allowanceLeftNanos = allowanceNanos;
        ordinaryShare = painBudget > 0 ? painBudget : LEAST_ORDINARY_SHARE;
        unresolvedShare = Math.max(UNRESOLVED_SHARE, ordinaryShare);
        ordinary = new CostBudget(ordinaryShare);
        quick = new CostBudget(unresolvedShare);
        looks = new CostBudget(SHARE_FOR_LOOKS * ordinaryShare);
    }

    /**
     * Charges one iteration.
     *
     * @param unresolved whether a candidate had never had a chain
     * @param ramping    whether the heap is about to be exhausted: then an unresolved candidate may cost what the documented budgets allow
     */
    void spend(long spentNanos, boolean unresolved, boolean ramping, long nowNanos) {
        long free = Math.min(allowanceLeftNanos, spentNanos);
        allowanceLeftNanos -= free;
        long cpuNanos = spentNanos - free;
        if (unresolved) {
            everUnresolved = true;
            lastUnresolvedNanos = nowNanos;
        } else {
            ordinary.spend(cpuNanos, nowNanos);
        }
        if (!(unresolved && ramping)) {
            quick.spend(cpuNanos, nowNanos);
        }
    }

    /** Charges the looks of an iteration, which are part of what {@link #spend} is told as well. */
    void spendLooks(long cpuNanos, long nowNanos) {
        looks.spend(cpuNanos, nowNanos);
    }

    /** Time until a search may start; 0 = now. */
    long startOpensInNanos(boolean unresolved, long nowNanos) {
        return unresolved ? passOpensInNanos(nowNanos) : Math.max(quick.clearsInNanos(nowNanos), ordinary.clearsInNanos(nowNanos));
    }

    /** Time until a running search may have its next pass; 0 = now. */
    long passOpensInNanos(long nowNanos) {
        return quick.clearsInNanos(nowNanos);
    }

    boolean mayLook(long nowNanos) {
        boolean verdictsWait = everUnresolved && nowNanos - lastUnresolvedNanos < VERDICT_NANOS;
        looks.setRate(SHARE_FOR_LOOKS * (verdictsWait ? unresolvedShare : ordinaryShare), nowNanos);
        return looks.canStart(nowNanos) && !(everLooked && nowNanos - lastLookNanos < LOOK_INTERVAL_NANOS);
    }

    /** Looks begin now. */
    void looking(long nowNanos) {
        everLooked = true;
        lastLookNanos = nowNanos;
    }

    /** What a search has to wait for, in nanoseconds of CPU time. */
    long debtNanos(boolean unresolved) {
        return unresolved ? quick.debtNanos() : Math.max(quick.debtNanos(), ordinary.debtNanos());
    }

    double share(boolean unresolved) {
        return unresolved ? unresolvedShare : ordinaryShare;
    }
}
