package io.holdfast.jfr;

import io.holdfast.core.Ticker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * How long the current thread has been at work. Wall time would also count the moments in which an overloaded machine lets the thread wait, and
 * then leaks would be missing from a chunk though writing them takes a millisecond.
 */
final class BusyTime {
    private BusyTime() { }

    /** CPU time of the current thread in nanoseconds, or the ticker's time where and while the JVM cannot tell. */
    static LongSupplier ofCurrentThread(Ticker ticker) {
        try {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            if (threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) {
                return orTicker(threads::getCurrentThreadCpuTime, ticker);
            }
        } catch (LinkageError | RuntimeException e) {
            // No module java.management: the ticker will do.
        }
        return ticker::nanos;
    }

    /** A program may switch the measurement off at any time, and virtual threads have none: readings are negative or refused then. */
    static LongSupplier orTicker(LongSupplier cpuTime, Ticker ticker) {
        return () -> {
            long nanos;
            try {
                nanos = cpuTime.getAsLong();
            } catch (UnsupportedOperationException e) {
                nanos = -1;
            }
            return nanos < 0 ? ticker.nanos() : nanos;
        };
    }
}
