package io.holdfast.scheduler;

import io.holdfast.core.LeakSignal;

/**
 * Whether a search may start and whether a running one may have its next pass. The order of the questions is documented behaviour: the
 * first refusal is the one that is reported, and a candidate is looked for only when everything before it is paid. Not thread-safe.
 */
final class SearchGate {
    static final long MIN_PASS_SPACING_NS = 100_000_000L;
    static final int CANARY_PAIN_BUDGET_REFILL_MULTIPLIER = 100;

    private final CostBudget safepoint;
    private final CostBudget cpu;
    private final double baseRate;
    private final RootEnumerationInterval roots;
    private final CandidateBackoff backoff;
    private final CpuShare share;
    private long lastPassEndNanos;

    SearchGate(CostBudget safepoint, CostBudget cpu, double baseRate, RootEnumerationInterval roots, CandidateBackoff backoff, CpuShare share) {
        this.safepoint = safepoint;
        this.cpu = cpu;
        this.baseRate = baseRate;
        this.roots = roots;
        this.backoff = backoff;
        this.share = share;
    }

    void passEnded(long nowNanos) {
        lastPassEndNanos = nowNanos;
    }

    /** The quick refill is for the chase only; what is still owed is paid off at the ordinary rate. */
    void searchEnded(long nowNanos) {
        cpu.setRate(baseRate, nowNanos);
    }

    /** For the first search, and for the next one after the last has been freed and charged. */
    GateDecision start(long nowNanos, LeakSignal signal) {
        if (!safepoint.canStart(nowNanos)) {
            return new GateDecision(Gate.SAFEPOINT_DEBT, safepoint.clearsInNanos(nowNanos));
        }
        // The last pass of the last search is paid before the first of the next, or short searches would never be paid at all.
        if (!cpu.canStart(nowNanos)) {
            return new GateDecision(Gate.CPU_DEBT, cpu.clearsInNanos(nowNanos));
        }
        if (roots.opensInNanos(nowNanos) > 0) {
            return new GateDecision(Gate.ROOT_ENUMERATION_INTERVAL, roots.opensInNanos(nowNanos));
        }
        if (!signal.enabled()) {
            return GateDecision.refused(Gate.NO_SIGNAL);
        }
        return signal.hasCandidate() || baseRate > 0 && signal.surveyDue(nowNanos) ? GateDecision.OPEN : GateDecision.refused(Gate.NO_CANDIDATE);
    }

    /**
     * The last question before a start.
     *
     * @param hurried whether a candidate waits for its first explanation
     */
    GateDecision share(long nowNanos, boolean hurried, Pace pace) {
        return shareGate(share.startOpensInNanos(hurried, pace.ramping(), nowNanos));
    }

    private static GateDecision shareGate(long opensInNanos) {
        return opensInNanos > 0 ? new GateDecision(Gate.CPU_SHARE, opensInNanos) : GateDecision.OPEN;
    }

    /** @param unresolved whether a candidate has no chain in this search yet */
    GateDecision running(long nowNanos, boolean unresolved, Pace pace) {
        cpu.setRate(unresolved ? Math.min(1.0, baseRate * CANARY_PAIN_BUDGET_REFILL_MULTIPLIER) : baseRate, nowNanos);
        long spacing = pace.ramping() ? pace.cadenceNanos() : Math.max(pace.cadenceNanos(), MIN_PASS_SPACING_NS);
        long sinceLastPass = nowNanos - lastPassEndNanos;
        if (sinceLastPass < spacing) {
            return new GateDecision(Gate.SPACING, spacing - sinceLastPass);
        }
        if (!cpu.canStart(nowNanos)) {
            return new GateDecision(Gate.CPU_DEBT, cpu.clearsInNanos(nowNanos));
        }
        // While the start is free there is nothing to save; and after a slice as long as there back-off would wait for a third of a second.
        if (unresolved && !pace.ramping() && !share.starting(nowNanos) && backoff.opensInNanos(nowNanos) > 0) {
            return new GateDecision(Gate.BACKOFF, backoff.opensInNanos(nowNanos));
        }
        return shareGate(share.passOpensInNanos(nowNanos));
    }
}
