package io.holdfast.scheduler;

/** Time between the end of one root enumeration, complete or not, and the next; also between it and the next search. Not thread-safe. */
final class RootEnumerationInterval {
    static final long ROOT_ENUM_MIN_INTERVAL_NS = 2_000_000_000L;
    static final long ROOT_ENUM_MAX_INTERVAL_NS = 30_000_000_000L;
    static final int DURATION_FACTOR = 20;

    private boolean everRan;
    private long endNanos;
    private long intervalNanos;

    void ended(long nowNanos, long durationNanos) {
        everRan = true;
        endNanos = nowNanos;
        // The duration is cut first: twenty times a long suspension of the machine must not overflow.
        long factored = Math.min(durationNanos, ROOT_ENUM_MAX_INTERVAL_NS) * DURATION_FACTOR;
        intervalNanos = Math.max(ROOT_ENUM_MIN_INTERVAL_NS, Math.min(factored, ROOT_ENUM_MAX_INTERVAL_NS));
    }

    /** 0 = a root enumeration may start now. */
    long opensInNanos(long nowNanos) {
        return everRan ? Math.max(0, intervalNanos - (nowNanos - endNanos)) : 0;
    }
}
