package io.holdfast.agent;

import io.holdfast.core.Ticker;
import java.time.Instant;

/** A clock that moves when told. */
final class VirtualTicker implements Ticker {
    private volatile long nanos;

    void advance(double seconds) {
        nanos += (long) (seconds * 1e9);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos);
    }
}
