package io.holdfast.agent;

/**
 * Bytes per second, from weights that arrive now and then. Old weights fade with {@link #FADE_SECONDS}; as long as less time than that has passed,
 * the rate is corrected for it. Not thread-safe.
 */
final class ScoutRate {
    static final double FADE_SECONDS = 60;
    private static final double NANOS = 1e9;
    /** The first weights stand for bytes of unknown time before them; without a floor the first rate would be infinite. */
    private static final double MIN_SECONDS = 1;

    private final long firstNanos;
    private double bytes;
    private long lastNanos;

    ScoutRate(long nowNanos) {
        this.firstNanos = nowNanos;
        this.lastNanos = nowNanos;
    }

    void add(long weight, long nowNanos) {
        bytes = fadedTo(nowNanos) + Math.max(0, weight);
        lastNanos = Math.max(lastNanos, nowNanos);
    }

    double bytesPerSecond(long nowNanos) {
        double elapsed = Math.max(MIN_SECONDS, (nowNanos - firstNanos) / NANOS);
        return fadedTo(nowNanos) / (FADE_SECONDS * (1 - Math.exp(-elapsed / FADE_SECONDS)));
    }

    private double fadedTo(long nowNanos) {
        double passed = Math.max(0, (nowNanos - lastNanos) / NANOS);
        return bytes * Math.exp(-passed / FADE_SECONDS);
    }
}
