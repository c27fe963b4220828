package io.holdfast.scheduler;

/**
 * A leaky bucket over cost: what was spent is a debt that drains with time; work may start when nothing is owed. Debt has no upper limit,
 * and idle time is not banked. Nanoseconds throughout. Not thread-safe.
 */
final class CostBudget {
    /** What floating-point arithmetic may leave of a debt that is paid. */
    private static final double ROUNDING_NANOS = 1e-3;

    private double nanosDrainedPerNano;
    private double debtNanos;
    private long lastNanos;
    private boolean drainedBefore;

    /** @param rate share of time that may be spent, 0..1; at 0 a debt never drains */
    CostBudget(double rate) {
        nanosDrainedPerNano = rate;
    }

    /** Changes the rate from now on; the time before counts at the old one. */
    void setRate(double rate, long nowNanos) {
        drain(nowNanos);
        nanosDrainedPerNano = rate;
    }

    double rate() {
        return nanosDrainedPerNano;
    }

    // Draining first makes the moment of the first expense the baseline; otherwise the time up to the first question would not count.
    void spend(long costNanos, long nowNanos) {
        drain(nowNanos);
        debtNanos += Math.max(0, costNanos);
    }

    boolean canStart(long nowNanos) {
        drain(nowNanos);
        return debtNanos <= 0;
    }

    /** What is owed as of the last call that named a time. */
    long debtNanos() {
        return (long) Math.ceil(debtNanos);
    }

    /** Time until the debt is gone at the present rate; {@link Long#MAX_VALUE} when it never is. */
    long clearsInNanos(long nowNanos) {
        drain(nowNanos);
        if (debtNanos <= 0) {
            return 0;
        }
        return nanosDrainedPerNano <= 0 ? Long.MAX_VALUE : (long) Math.ceil(debtNanos / nanosDrainedPerNano);
    }

    private void drain(long nowNanos) {
        if (!drainedBefore) {
            drainedBefore = true;
            lastNanos = nowNanos;
            return;
        }
        long elapsed = nowNanos - lastNanos;
        if (elapsed > 0) {
            double left = debtNanos - elapsed * nanosDrainedPerNano;
            debtNanos = left < ROUNDING_NANOS ? 0 : left;
            lastNanos = nowNanos;
        }
    }
}
