package io.holdfast.scheduler;

/**
 * What the Holdfast thread may cost in all, as a share of one core. The documented budgets know passes only; these accounts are charged with the
 * CPU time of whole iterations: liveness, passes, looks at containers, batches, reports. What cannot be put off (samples want to be drained)
 * makes searches wait, so the sum keeps to the share. Not thread-safe.
 *
 * <ul>
 * <li>A search for a candidate that never had a chain may use 5 % while the credit lasts. What it uses beyond the ordinary share (1 %) is taken from that
 *     credit; in a program where there is always some candidate the thread would otherwise take the larger share for ever.
 * <li>A search that only looks again at explained candidates, and without credit every other, starts when all that was spent is paid off at the ordinary
 *     share.
 * <li>A search that runs may use 5 %, whatever it seeks, and is paid off afterwards: one that takes minutes ends by its time limit.
 * <li>What the start costs is free, up to an allowance. For {@link #EARLY_NANOS} surveys may use 5 % as well, out of half of the credit, though no candidate
 *     waits for them.
 * <li>Looks at containers have half of either share, the larger one while candidates are hurried for and for a minute afterwards, because verdicts wait
 *     for them.
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
    /** How long after the start surveys are hurried for, and the start may be free. */
    static final long EARLY_NANOS = 120_000_000_000L;
    private static final double CREDIT_KEPT_FOR_CANDIDATES = 0.5;

    private final long startNanos;
    private final double ordinaryShare;
    private final double unresolvedShare;
    private final OrdinaryAccount ordinary;
    private final CostBudget quick;
    private final CostBudget looks;
    /** Passes for those that wait without credit. Where the rest of the thread's work takes the ordinary share, they must not wait for ever. */
    private final CostBudget leastSearches;
    private boolean everLooked;
    private long lastLookNanos;
    private boolean everUnresolved;
    private long lastUnresolvedNanos;
    private long allowanceLeftNanos;
    /** Quick looks of this iteration; they are part of what it is charged with. */
    private long quickLookNanos;
    private boolean lookIsQuick;

    CpuShare(SchedulerSettings settings, long startNanos) {
        this.startNanos = startNanos;
        allowanceLeftNanos = settings.startAllowanceNanos();
        ordinaryShare = settings.painBudget() > 0 ? settings.painBudget() : LEAST_ORDINARY_SHARE;
        unresolvedShare = Math.max(UNRESOLVED_SHARE, ordinaryShare);
        ordinary = new OrdinaryAccount(ordinaryShare, (unresolvedShare - ordinaryShare) * settings.quickNanos(), settings.quickRecoveryNanos());
        quick = new CostBudget(unresolvedShare);
        looks = new CostBudget(SHARE_FOR_LOOKS * ordinaryShare);
        leastSearches = new CostBudget(ordinary.recoveryRate());
    }

    /**
     * Charges one iteration.
     *
     * @param passNanos  the part of {@code spentNanos} that a pass took
     * @param unresolved whether it worked for a candidate that had never had a chain, or for a survey that is hurried for
     * @param ramping    whether the heap is about to be exhausted: then an unresolved candidate may cost what the documented budgets allow
     */
    void spend(long spentNanos, long passNanos, boolean unresolved, boolean ramping, long nowNanos) {
        long free = Math.min(allowanceLeftNanos, spentNanos);
        allowanceLeftNanos -= free;
        long cpuNanos = spentNanos - free;
        boolean hadCredit = ordinary.hasCredit(nowNanos);
        if (unresolved) {
            everUnresolved = true;
            lastUnresolvedNanos = nowNanos;
            ordinary.hurryUntil(nowNanos + VERDICT_NANOS, nowNanos);
        }
        if (!(unresolved && ramping)) {
            quick.spend(cpuNanos, nowNanos);
            long hurried = unresolved ? cpuNanos : ramping ? 0 : Math.min(cpuNanos, quickLookNanos);
            ordinary.spendCredit(hurried, nowNanos);
            ordinary.spend(cpuNanos - hurried, nowNanos);
            if (unresolved && !hadCredit) {
                leastSearches.spend(Math.min(passNanos, cpuNanos), nowNanos);
            }
        }
        quickLookNanos = 0;
    }

    /** Whether the thread has just started and what that may cost is not used up yet. */
    boolean starting(long nowNanos) {
        return allowanceLeftNanos > 0 && nowNanos - startNanos < EARLY_NANOS;
    }

    /** Charges the looks of an iteration, which are part of what {@link #spend} is told as well. */
    void spendLooks(long cpuNanos, long nowNanos) {
        looks.spend(cpuNanos, nowNanos);
        if (lookIsQuick) {
            quickLookNanos += cpuNanos;
        }
    }

    /**
     * Time until a search may start; 0 = now. As {@link #spend} is told, the ramp before exhaustion asks for no credit.
     */
    long startOpensInNanos(boolean unresolved, boolean ramping, long nowNanos) {
        long quickOpens = passOpensInNanos(nowNanos);
        if (isQuick(unresolved, ramping, nowNanos)) {
            return quickOpens;
        }
        long paid = ordinary.clearsInNanos(nowNanos);
        return Math.max(quickOpens, unresolved ? Math.min(paid, leastSearches.clearsInNanos(nowNanos)) : paid);
    }

    /** Time until a running search may have its next pass; 0 = now. */
    long passOpensInNanos(long nowNanos) {
        return quick.clearsInNanos(nowNanos);
    }

    /**
     * Whether a survey, for which no candidate waits, is hurried for like one: in the first minutes, when there is nothing yet to compare with, and as long as
     * half of the credit is left for candidates; never in the ramp, where what is hurried for is not charged.
     */
    boolean hurriesSurveys(boolean ramping, long nowNanos) {
        return !ramping && nowNanos - startNanos < EARLY_NANOS && ordinary.creditShare(nowNanos) > CREDIT_KEPT_FOR_CANDIDATES;
    }

    /** Whether a search may start at the quick share. */
    boolean isQuick(boolean unresolved, boolean ramping, long nowNanos) {
        return unresolved && (ramping || ordinary.hasCredit(nowNanos));
    }

    boolean mayLook(boolean ramping, long nowNanos) {
        boolean verdictsWait = everUnresolved && nowNanos - lastUnresolvedNanos < VERDICT_NANOS;
        lookIsQuick = isQuick(verdictsWait, ramping, nowNanos);
        looks.setRate(SHARE_FOR_LOOKS * (lookIsQuick ? unresolvedShare : ordinaryShare), nowNanos);
        return looks.canStart(nowNanos) && !(everLooked && nowNanos - lastLookNanos < LOOK_INTERVAL_NANOS);
    }

    /** Looks begin now. */
    void looking(long nowNanos) {
        everLooked = true;
        lastLookNanos = nowNanos;
    }

    /** What a search has to wait for, in nanoseconds of CPU time. */
    long debtNanos(boolean atQuickShare) {
        return atQuickShare ? quick.debtNanos() : Math.max(quick.debtNanos(), ordinary.debtNanos());
    }

    double share(boolean atQuickShare) {
        return atQuickShare ? unresolvedShare : ordinaryShare;
    }

    /** CPU time that is left for the quick share. */
    long creditNanos() {
        return ordinary.creditNanos();
    }
}
