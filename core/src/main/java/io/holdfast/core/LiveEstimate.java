package io.holdfast.core;

/**
 * Estimated live population of a leak.
 *
 * @param tracked            tracked instances alive
 * @param estimatedInstances estimated live instances
 * @param estimatedBytes     estimated bytes of these instances, without what hangs below them
 * @param bytesPerHour       estimated growth
 * @param relativeError      one standard error of these estimates as a share of them, from the number of samples behind them; NaN = unknown, then the
 *                           instances and bytes are a lower bound: those known from samples. What sampling itself gets wrong comes on top:
 *                           the JVM's weights of arrays of some hundred kilobytes are off by up to five times
 */
public record LiveEstimate(int tracked, long estimatedInstances, long estimatedBytes, long bytesPerHour, double relativeError) {
    public static final LiveEstimate NONE = new LiveEstimate(0, 0, 0, 0);

    /** With an unknown error. */
    public LiveEstimate(int tracked, long estimatedInstances, long estimatedBytes, long bytesPerHour) {
        this(tracked, estimatedInstances, estimatedBytes, bytesPerHour, Double.NaN);
    }
}
