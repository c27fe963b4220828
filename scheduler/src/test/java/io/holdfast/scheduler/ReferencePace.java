package io.holdfast.scheduler;

/**
 * The pause controller and the ramp as the specification tells them, in milliseconds and edges. Shares no code with what it checks.
 */
final class ReferencePace {
    private final double configuredTarget;
    private final int configuredBase;
    private final long configuredCadenceNanos;
    private final double alpha;

    private double integral;
    private double average;
    private double target;
    private long base;
    private long borrowed;
    private int streak;
    long effective;
    long cadenceNanos;
    boolean ramp;
    private long rampCadenceNanos;

    ReferencePace(double targetMillis, int base, long cadenceNanos) {
        configuredTarget = targetMillis;
        configuredBase = base;
        configuredCadenceNanos = cadenceNanos;
        double c = Math.cos(2 * Math.PI / 5);
        alpha = c - 1 + Math.sqrt(c * c - 4 * c + 3);
        target = targetMillis;
        this.base = base;
        effective = base;
        this.cadenceNanos = cadenceNanos;
    }

    void observe(double s) {
        boolean in = s >= 0 && s < 1800;
        double newTarget = configuredTarget;
        if (in) {
            double x = 1 - s / 1800;
            newTarget = Math.max(configuredTarget,
                    Math.round(configuredTarget * Math.pow(100 / Math.max(configuredTarget, 1), x)));
            rampCadenceNanos = Math.round(1e9 * Math.pow(0.01, x));
        }
        if (in != ramp) {
            base = in ? Math.min(4L * configuredBase, 1_000_000) : configuredBase;
            effective = base;
            borrowed = 0;
            streak = 0;
            if (!in) {
                cadenceNanos = configuredCadenceNanos;
            }
        }
        if (newTarget != target) {
            target = newTarget;
            integral = 0;
            average = 0;
        }
        ramp = in;
    }

    long cadence() {
        return ramp ? rampCadenceNanos : cadenceNanos;
    }

    double target() {
        return target;
    }

    void pass(double ms) {
        if (ms <= target / 2) {
            streak++;
            if (streak >= 5) {
                borrowed = Math.min(borrowed + Math.round(0.25 * base), 3 * base);
            }
        } else {
            streak = 0;
            borrowed = 0;
        }
        long ceiling = base + borrowed;
        long floor = Math.max(1, Math.min(Math.min(2000, ceiling), base / 2));
        long desired = effective + Math.round(signal(target - ms));
        effective = desired < floor ? floor : desired > ceiling ? ceiling : desired;
        long overflow = desired - effective;
        cadenceNanos = Math.max(10_000_000L, Math.min(4_000_000_000L, cadenceNanos - overflow * 1_000_000L));
    }

    void rootPass(double ms) {
        if (ms > target / 2) {
            streak = 0;
            borrowed = 0;
            effective = Math.min(effective, base);
        }
    }

    private double signal(double err) {
        double next = alpha * err + (1 - alpha) * average;
        double signal = 10 * err + integral + 2 * (next - average);
        integral += err;
        integral = integral > 10 * target ? 10 * target : integral < -10 * target ? -10 * target : integral;
        average = next;
        return signal;
    }
}
