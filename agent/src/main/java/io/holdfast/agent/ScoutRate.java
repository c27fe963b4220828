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
    /** Faded squares of the weights, for the error. */
    private double squares;
    private long lastNanos;

    ScoutRate(long nowNanos) {
        this.firstNanos = nowNanos;
        this.lastNanos = nowNanos;
    }

    void add(long weight, long nowNanos) {
        double fade = fade(nowNanos);
        double added = Math.max(0, weight);
        bytes = bytes * fade + added;
        squares = squares * fade * fade + added * added;
        lastNanos = Math.max(lastNanos, nowNanos);
    }

    double bytesPerSecond(long nowNanos) {
        double elapsed = Math.max(MIN_SECONDS, (nowNanos - firstNanos) / NANOS);
        return fadedTo(nowNanos) / (FADE_SECONDS * (1 - Math.exp(-elapsed / FADE_SECONDS)));
    }

    /** One standard error as a share of the rate, from the number and the spread of the weights; NaN without any. */
    double relativeError() {
        return bytes > 0 ? Math.sqrt(squares) / bytes : Double.NaN;
    }

    private double fadedTo(long nowNanos) {
        return bytes * fade(nowNanos);
    }

    private double fade(long nowNanos) {
        return Math.exp(-Math.max(0, (nowNanos - lastNanos) / NANOS) / FADE_SECONDS);
    }
}
