package com.acme.scouted;

/** Something to allocate. */
public final class Marker {
    private final long payload = System.nanoTime();

    public long payload() {
        return payload;
    }
}
