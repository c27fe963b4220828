package io.holdfast.agent;

import io.holdfast.core.SampleSink;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * What is wanted of the interval lane at one moment. Immutable.
 *
 * @param everyThread whether all threads are sampled
 * @param threads     threads that are sampled in any case
 * @param listeners   who is told
 * @param following   whether samples are followed until they die
 * @param feed        takes samples of sites for the leak finder, or null
 */
record IntervalRules(boolean everyThread, WeakReference<Thread>[] threads, List<ListenerSlot> listeners, boolean following, SampleSink feed) {
    /** Whether anybody would learn of a sample. */
    boolean wanted() {
        return (everyThread || threads.length > 0) && (following || feed != null || !listeners.isEmpty());
    }

    boolean wants(Thread thread) {
        if (everyThread) {
            return true;
        }
        for (WeakReference<Thread> one : threads) {
            if (one.refersTo(thread)) {
                return true;
            }
        }
        return false;
    }

    /** A listener and its faults. Any thread. */
    static final class ListenerSlot {
        final SampledAllocationListener listener;
        private final java.util.concurrent.atomic.AtomicInteger faults = new java.util.concurrent.atomic.AtomicInteger();
        private volatile Class<?> lastFault;

        ListenerSlot(SampledAllocationListener listener) {
            this.listener = listener;
        }

        void failed(Throwable fault) {
            lastFault = fault.getClass();
            faults.incrementAndGet();
        }

        boolean spent() {
            return faults.get() >= SampledAllocations.MAX_FAULTS;
        }

        Class<?> lastFault() {
            return lastFault;
        }
    }
}
