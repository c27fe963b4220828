package io.holdfast.core;

import java.time.Instant;

/** The only source of time. Tests inject a virtual one. */
public interface Ticker {
    /** Monotonic nanoseconds from an arbitrary origin. */
    long nanos();

    /** Wall-clock time. */
    Instant now();

    /** The clocks of the system. */
    static Ticker system() {
        return new Ticker() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Instant now() {
                return Instant.now();
            }
        };
    }
}
