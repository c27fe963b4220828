package io.holdfast.refchains.test;

import java.util.concurrent.ConcurrentSkipListMap;

/** Takes as many as it says, and keeps them in a map that says nothing. */
public final class Reservoir {
    private final ConcurrentSkipListMap<Integer, Object> values = new ConcurrentSkipListMap<>();
    private final int reservoirSize;

    public Reservoir(int reservoirSize) {
        this.reservoirSize = reservoirSize;
    }

    public void update(int priority, Object value) {
        values.put(priority, value);
        if (values.size() > reservoirSize) {
            values.pollFirstEntry();
        }
    }

    public Iterable<Object> values() {
        return values.values();
    }
}
