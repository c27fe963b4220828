package io.holdfast.scheduler;

/**
 * What the ordinary share of a core pays for: first the debt of work that no candidate waited for, then the credit out of which candidates that wait
 * are hurried for. The credit is full at the start and falls below zero when a search outlasts it; that is a debt as well. Nobody's time counts twice,
 * so what is spent in any stretch of time is at most the ordinary share of it, the credit, what came back in quiet times, and one search.
 *
 * <p>While something is hurried for, the credit gets what is left of the ordinary share, for it pays only what goes beyond that. In quiet times it comes
 * back at a slow rate of its own, whatever else is paid off then: an explained leak that is searched for all day must not keep it from the next
 * one. It is never more than full. Nanoseconds of CPU time. Not thread-safe.
 */
final class OrdinaryAccount {
    /** What floating-point arithmetic may leave of a debt that is paid. */
    private static final double ROUNDING_NANOS = 1e-3;

    private final double share;
    private final double fullNanos;
    private final double recoveryRate;
    private double debtNanos;
    private double creditNanos;
    private boolean hurriedBefore;
    private long quietFromNanos;
    private boolean drainedBefore;
    private long lastNanos;

    /**
     * @param share         of time that may be spent in the long run, more than 0
     * @param fullNanos     the credit when it is full
     * @param recoveryNanos quiet time in which an empty credit becomes full
     */
    OrdinaryAccount(double share, double fullNanos, long recoveryNanos) {
        this.share = share;
        this.fullNanos = fullNanos;
        recoveryRate = fullNanos / recoveryNanos;
        creditNanos = fullNanos;
    }

    /** Share of quiet time that the credit gets back. */
    double recoveryRate() {
        return recoveryRate;
    }

    /** Something is hurried for, or was so short a time ago that its verdict is still to come: it is not quiet before that moment. */
    void hurryUntil(long quietFrom, long nowNanos) {
        drain(nowNanos);
        hurriedBefore = true;
        quietFromNanos = quietFrom;
    }

    void spend(long cpuNanos, long nowNanos) {
        drain(nowNanos);
        debtNanos += cpuNanos;
    }

    void spendCredit(long cpuNanos, long nowNanos) {
        drain(nowNanos);
        creditNanos -= cpuNanos;
    }

    boolean hasCredit(long nowNanos) {
        drain(nowNanos);
        return creditNanos > ROUNDING_NANOS;
    }

    /** What is left of the credit, 1 when it is full; 0 when there is none to begin with. */
    double creditShare(long nowNanos) {
        drain(nowNanos);
        return fullNanos > 0 ? creditNanos / fullNanos : 0;
    }

    /** Time until nothing is owed if nothing more is spent. */
    long clearsInNanos(long nowNanos) {
        drain(nowNanos);
        return (long) Math.ceil(owedNanos() / share);
    }

    /** What is owed as of the last call that named a time, an overdrawn credit included. */
    long debtNanos() {
        return (long) Math.ceil(owedNanos());
    }

    /** The credit as of the last call that named a time; 0 when it is overdrawn. */
    long creditNanos() {
        return (long) Math.max(0, creditNanos);
    }

    private double owedNanos() {
        double owed = debtNanos + Math.max(0, -creditNanos);
        return owed < ROUNDING_NANOS ? 0 : owed;
    }

    private void drain(long nowNanos) {
        if (!drainedBefore) {
            drainedBefore = true;
            lastNanos = nowNanos;
            return;
        }
        long elapsed = nowNanos - lastNanos;
        if (elapsed <= 0) {
            return;
        }
        long hurried = hurriedBefore ? Math.max(0, Math.min(elapsed, quietFromNanos - lastNanos)) : 0;
        lastNanos = nowNanos;
        payOff(hurried * share, fullNanos);
        payOff((elapsed - hurried) * share, 0);
        creditNanos = Math.min(fullNanos, creditNanos + (elapsed - hurried) * recoveryRate);
    }

    private void payOff(double nanos, double creditAtMost) {
        double left = nanos - debtNanos;
        debtNanos = Math.max(0, -left);
        if (left > 0 && creditNanos < creditAtMost) {
            creditNanos = Math.min(creditAtMost, creditNanos + left);
        }
    }
}
