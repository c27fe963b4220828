package io.holdfast.scheduler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** What the current thread has used since it began. */
interface ThreadUsage {
    /** CPU time in nanoseconds; negative where the JVM does not measure it. */
    long cpuNanos();

    /** Bytes allocated; 0 where the JVM does not count them. */
    long allocatedBytes();

    /** As the JVM measures it. */
    static ThreadUsage measured() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean cpu = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        com.sun.management.ThreadMXBean allocations = threads instanceof com.sun.management.ThreadMXBean hotspot
                && hotspot.isThreadAllocatedMemorySupported() ? hotspot : null;
        return new ThreadUsage() {
            @Override
            public long cpuNanos() {
                return cpu ? threads.getCurrentThreadCpuTime() : -1;
            }

            @Override
            public long allocatedBytes() {
                return allocations == null ? 0 : Math.max(0, allocations.getCurrentThreadAllocatedBytes());
            }
        };
    }
}
