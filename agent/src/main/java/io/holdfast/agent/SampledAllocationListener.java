package io.holdfast.agent;

/** Is told of sampled allocations. */
@FunctionalInterface
public interface SampledAllocationListener {
    /**
     * Called on the thread that allocates, when the constructor has returned, wherever that thread is, perhaps in the middle of the JDK and with locks held:
     * be quick, take no lock, start nothing that waits. What is allocated meanwhile is not sampled. What is thrown goes nowhere; a listener that throws
     * {@value SampledAllocations#MAX_FAULTS} times is dropped, with one line in the log.
     *
     * @param thread    the current thread
     * @param object    what was allocated; whoever keeps it keeps it alive
     * @param type      its class
     * @param sizeBytes its size as the JVM measures it, without what it refers to
     */
    void sampled(Thread thread, Object object, Class<?> type, long sizeBytes);
}
