package io.holdfast.core;

import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A tracked object that was alive when this was made, for outputs. Object and class are held weakly; names and stack are text, so they outlive thread
 * and class.
 *
 * @param sequence        number of the sample, never reused in one run
 * @param object          weak reference to the object; ask it with {@code refersTo(null)} only
 * @param type            weak reference to its class
 * @param className       name of its class
 * @param allocatedAt     when it was allocated
 * @param allocationEpoch finished collections at that time
 * @param size            bytes of the object itself, to the next multiple of eight; 0 = unknown
 * @param weight          samples it stands for: itself and those left out before it
 * @param threadId        id of the allocating thread
 * @param threadName      its name at the allocation, or null
 * @param site            where it was allocated, as {@link AllocationSite#toFrame} writes it
 * @param stack           the allocation stack, innermost frame first; empty when it was not kept. Samples of one stack share one list
 */
public record LiveSample(long sequence, WeakReference<?> object, WeakReference<Class<?>> type, String className, Instant allocatedAt, long allocationEpoch,
                         long size, int weight, long threadId, String threadName, String site, List<String> stack) {
    public LiveSample {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(allocatedAt, "allocatedAt");
        // As it is: a copy would no longer be shared.
        Objects.requireNonNull(stack, "stack");
    }
}
