package io.holdfast.agent;

/**
 * What the allocating thread knows of a sample. The class and the undecoded stack hold classes of the application until the Holdfast thread has read their
 * names, which it does within seconds.
 */
record PendingSample(SampledAllocation.Tracked reference, Class<?> type, long sizeBytes, double weightBytes, String threadName, long nanos,
                     AllocationStack stack) { }
