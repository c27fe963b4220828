package io.holdfast.scheduler;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import io.holdfast.core.Ticker;

final class VirtualTicker implements Ticker {
    /** Far from zero and negative, as System.nanoTime may be. */
    private static final long ORIGIN = -7_000_000_000_123L;

    private final AtomicLong nanos = new AtomicLong(ORIGIN);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(sinceStart());
    }

    void advance(long by) {
        nanos.addAndGet(by);
    }

    long sinceStart() {
        return nanos.get() - ORIGIN;
    }
}
