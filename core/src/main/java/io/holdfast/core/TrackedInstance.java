package io.holdfast.core;

import java.lang.ref.WeakReference;
import java.util.Objects;

/**
 * A sampled object that survived, held weakly.
 *
 * @param sequence        number of the sample, never reused in one run
 * @param reference       weak reference to the object
 * @param siteId          id of the allocation site, {@link AllocationSample#WATCHED} for explicit tracking
 * @param threadId        allocating thread, {@link #UNKNOWN_THREAD} if it was not seen
 * @param allocationEpoch GC epoch in which it was allocated: instances of one epoch form a cohort
 * @param age             epochs survived
 * @param disproved       whether it survived a collection that would have cleared it had it been dead
 * @param allocationNanos when it was allocated, on the clock of {@link Ticker#nanos}
 */
public record TrackedInstance(long sequence, WeakReference<?> reference, int siteId, long threadId, long allocationEpoch, int age, boolean disproved,
                              long allocationNanos) {
    /** No thread has this number. */
    public static final long UNKNOWN_THREAD = 0;

    public TrackedInstance {
        Objects.requireNonNull(reference, "reference");
    }
}
