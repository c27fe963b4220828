package io.holdfast.refchains.test;

/** Says until when it is kept. */
public final class Lease {
    public final long expiresAtNanos;
    public final String text;

    public Lease(long expiresAtNanos, String text) {
        this.expiresAtNanos = expiresAtNanos;
        this.text = text;
    }
}
