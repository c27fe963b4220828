package io.holdfast.core;

/**
 * Estimated live population of a leak.
 *
 * @param tracked            tracked instances alive
 * @param estimatedInstances estimated live instances
 * @param estimatedBytes     estimated bytes of these instances, without what hangs below them
 * @param bytesPerHour       estimated growth
 */
public record LiveEstimate(int tracked, long estimatedInstances, long estimatedBytes, long bytesPerHour) {
    public static final LiveEstimate NONE = new LiveEstimate(0, 0, 0, 0);
}
