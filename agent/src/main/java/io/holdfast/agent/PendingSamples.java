package io.holdfast.agent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** Samples on their way to the Holdfast thread. Bounded; lock-free; unordered; no place is lost when a thread dies half-way. */
final class PendingSamples {
    static final int CAPACITY = 2_048;
    private static final int PROBES = 8;

    private final AtomicReferenceArray<PendingSample> slots = new AtomicReferenceArray<>(CAPACITY);
    private final AtomicInteger next = new AtomicInteger();

    /** Any thread. False when the places tried are taken. */
    boolean offer(PendingSample sample) {
        int start = next.getAndIncrement();
        for (int i = 0; i < PROBES; i++) {
            if (slots.compareAndSet(start + i & CAPACITY - 1, null, sample)) {
                return true;
            }
        }
        return false;
    }

    /** One thread. */
    void drain(Consumer<PendingSample> to) {
        for (int i = 0; i < CAPACITY; i++) {
            PendingSample sample = slots.get(i) == null ? null : slots.getAndSet(i, null);
            if (sample != null) {
                to.accept(sample);
            }
        }
    }
}
