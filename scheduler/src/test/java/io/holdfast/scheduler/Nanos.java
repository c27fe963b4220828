package io.holdfast.scheduler;

/** Times as the specification writes them. */
final class Nanos {
    private Nanos() { }

    static long ms(double millis) {
        return Math.round(millis * 1_000_000);
    }

    static long s(double seconds) {
        return Math.round(seconds * 1_000_000_000);
    }
}
