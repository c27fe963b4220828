package io.holdfast.scheduler;

/**
 * Turns the error of a slice (target minus measured, in milliseconds) into a change of the edge budget. The gains are the documented ones.
 * The integral is clamped: without that, a slow hour would hold the budget down for another hour after the machine has become quick again.
 */
final class PausePid {
    static final double PROPORTIONAL_GAIN = 10;
    static final double INTEGRAL_GAIN = 1;
    static final double DERIVATIVE_GAIN = 2;
    static final double WINDOW = 1;
    static final double CUTOFF = 5;
    /** The integral term never outweighs the proportional term of an error as large as the target itself. */
    static final double INTEGRAL_LIMIT_IN_TARGETS = PROPORTIONAL_GAIN / INTEGRAL_GAIN;

    private static final double ALPHA = smoothing(WINDOW, CUTOFF);

    private final double integralLimit;
    private double integral;
    private double average;

    PausePid(double targetMillis) {
        integralLimit = INTEGRAL_LIMIT_IN_TARGETS * targetMillis;
    }

    /** Weight of the newest value in a first-order low-pass filter with that cut-off. */
    static double smoothing(double window, double cutoff) {
        double c = Math.cos(2 * Math.PI * (window / cutoff));
        return c - 1 + Math.sqrt(c * c - 4 * c + 3);
    }

    double signal(double errorMillis) {
        double previous = average;
        average = ALPHA * errorMillis + (1 - ALPHA) * previous;
        double signal = PROPORTIONAL_GAIN * errorMillis + INTEGRAL_GAIN * integral + DERIVATIVE_GAIN * (average - previous);
        integral = Math.max(-integralLimit, Math.min(integralLimit, integral + errorMillis));
        return signal;
    }
}
