package com.acme.scouted;

/** Allocated on a thread named as Holdfast's only. */
public final class OwnThreadMarker {
    private final long payload = System.nanoTime();

    public long payload() {
        return payload;
    }
}
