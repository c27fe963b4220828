package io.holdfast.core;

/** Takes samples from application threads. */
@FunctionalInterface
public interface SampleSink {
    /**
     * Lock-free, bounded, never throws. A full sink refuses and counts.
     *
     * @return whether the sample was taken
     */
    boolean offer(AllocationSample sample);
}
