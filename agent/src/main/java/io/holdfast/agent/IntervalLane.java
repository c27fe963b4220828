package io.holdfast.agent;

import io.holdfast.agent.IntervalRules.ListenerSlot;
import io.holdfast.core.AllocationSample;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;

/**
 * What happens when a countdown has run out, on the allocating thread, in the middle of whatever code it is in: takes no lock, loads no class, calls nothing of
 * the application but the listeners it was given. The countdown is drawn again before anything else, so that nested allocations find it running.
 */
final class IntervalLane implements ObjLongConsumer<Object> {
    static final String SAMPLES = "agent.interval.samples";
    static final String NESTED = "agent.interval.nested";
    static final String CROWDED = "agent.interval.crowded";
    static final String OWN_THREADS = "agent.interval.own_threads";
    static final String LISTENER_FAULTS = "agent.interval.listener_faults";
    static final String DROPPED = "agent.interval.samples.dropped";
    static final String RAISED = "agent.interval.raised";
    /** The size of a shape that has not been seen yet: larger than any countdown in use. */
    static final long UNKNOWN_SIZE = IntervalGaps.NEVER;
    private static final long SECOND = 1_000_000_000L;
    /** Rows of an array of arrays counted at one level, so that the work at one allocation has an end. */
    private static final int MAX_ROWS = 1 << 16;

    private final long[] left;
    private final long[] sizes;
    private final ToLongFunction<Object> measure;
    private final IntervalGaps gaps;
    private final GcEpochs epochs;
    private final Ticker ticker;
    private final PendingSamples pending;
    private final java.lang.ref.ReferenceQueue<Object> deaths;
    private final ThreadsInside inside = new ThreadsInside();
    private final LongAdder samples;
    private final LongAdder nested;
    private final LongAdder crowded;
    private final LongAdder ownThreads;
    private final LongAdder listenerFaults;
    private final LongAdder dropped;
    private final LongAdder raised;
    private final AtomicInteger inWindow = new AtomicInteger();
    private volatile long windowStart;
    private volatile IntervalRules rules;
    private volatile long interval;
    private volatile int budget;

    IntervalLane(long[] left, long[] sizes, ToLongFunction<Object> measure, IntervalGaps gaps, GcEpochs epochs, Ticker ticker, Counters counters,
                 PendingSamples pending, java.lang.ref.ReferenceQueue<Object> deaths, IntervalRules rules, long interval, int budget) {
        this.left = left;
        this.sizes = sizes;
        this.measure = measure;
        this.gaps = gaps;
        this.epochs = epochs;
        this.ticker = ticker;
        this.pending = pending;
        this.deaths = deaths;
        this.samples = counters.counter(SAMPLES);
        this.nested = counters.counter(NESTED);
        this.crowded = counters.counter(CROWDED);
        this.ownThreads = counters.counter(OWN_THREADS);
        this.listenerFaults = counters.counter(LISTENER_FAULTS);
        this.dropped = counters.counter(DROPPED);
        this.raised = counters.counter(RAISED);
        this.rules = rules;
        this.interval = interval;
        this.budget = budget;
        this.windowStart = ticker.nanos();
        Arrays.fill(sizes, UNKNOWN_SIZE);
        draw();
    }

    void rules(IntervalRules wanted) {
        rules = wanted;
        draw();
    }

    /** Takes effect at once: all countdowns begin anew. */
    void interval(long meanBytes) {
        interval = meanBytes;
        draw();
    }

    long interval() {
        return interval;
    }

    /** Samples a second from which the interval is raised; 0 = as many as come. */
    void budget(int samplesPerSecond) {
        budget = samplesPerSecond;
    }

    private void draw() {
        for (int stripe = 0; stripe < HookBytecode.STRIPES; stripe++) {
            int slot = stripe << HookBytecode.STRIPE_SHIFT;
            left[slot] = distance(slot);
        }
    }

    private long distance(int slot) {
        return rules.wanted() ? gaps.next(slot, interval) : IntervalGaps.NEVER;
    }

    @Override
    public void accept(Object instance, long packed) {
        if (instance == null) {
            return;
        }
        long threadId = IntervalCode.threadId(packed);
        int site = IntervalCode.site(packed);
        int slot = ((int) threadId & HookBytecode.STRIPES - 1) << HookBytecode.STRIPE_SHIFT;
        switch (IntervalCode.kind(packed)) {
            case IntervalCode.OBJECT -> {
                int shape = IntervalCode.shape(packed);
                if (sizes[shape] == UNKNOWN_SIZE) {
                    long size = measure.applyAsLong(instance);
                    sizes[shape] = size;
                    // What had been left is gone; by the nature of the distances a new one will do, and this object has its own chance.
                    left[slot] = distance(slot);
                    if (!rules.wanted() || !gaps.chance(slot, size, interval)) {
                        return;
                    }
                }
                expired(instance, threadId, slot, site);
            }
            case IntervalCode.ARRAY -> expired(instance, threadId, slot, site);
            case IntervalCode.NESTED -> countRows(instance, threadId, slot, site);
            default -> count(instance, threadId, slot, site);
        }
    }

    /** The rows were there before what holds them, but all are finished only now. */
    private void countRows(Object array, long threadId, int slot, int site) {
        if (array instanceof Object[] rows && array.getClass().getComponentType().isArray()) {
            for (int i = 0; i < rows.length && i < MAX_ROWS; i++) {
                if (rows[i] != null) {
                    countRows(rows[i], threadId, slot, site);
                }
            }
        }
        count(array, threadId, slot, site);
    }

    private void count(Object instance, long threadId, int slot, int site) {
        long now = left[slot] - measure.applyAsLong(instance);
        left[slot] = now;
        if (now < 0) {
            expired(instance, threadId, slot, site);
        }
    }

    private void expired(Object instance, long threadId, int slot, int site) {
        left[slot] = distance(slot);
        IntervalRules wanted = rules;
        Thread thread = Thread.currentThread();
        if (!wanted.wanted() || !wanted.wants(thread)) {
            return;
        }
        int entered = inside.enter(threadId);
        if (entered < 0) {
            (entered == ThreadsInside.NESTED ? nested : crowded).increment();
            return;
        }
        try {
            sampled(wanted, instance, thread, threadId, site);
        } finally {
            inside.leave(entered);
        }
    }

    private void sampled(IntervalRules wanted, Object instance, Thread thread, long threadId, int site) {
        String threadName = thread.getName();
        if (threadName == null || SampleMaker.ours(threadName)) {
            ownThreads.increment();
            return;
        }
        samples.increment();
        long mean = interval;
        account();
        long size = measure.applyAsLong(instance);
        Class<?> type = instance.getClass();
        List<ListenerSlot> listeners = wanted.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            tell(listeners.get(i), thread, instance, type, size);
        }
        if (wanted.following() && !pending.offer(new PendingSample(new SampledAllocation.Tracked(instance, deaths), type, size,
                SampledAllocations.weight(size, mean), threadName, ticker.nanos(), new AllocationStack()))) {
            dropped.increment();
        }
        if (wanted.feed() != null && site != IntervalCode.NO_SITE) {
            wanted.feed().offer(new AllocationSample(new WeakReference<>(instance), site, threadId, threadName, new AllocationStack(), ticker.nanos(),
                    epochs.epoch()));
        }
    }

    private void tell(ListenerSlot slot, Thread thread, Object instance, Class<?> type, long size) {
        if (slot.spent()) {
            return;
        }
        try {
            slot.listener.sampled(thread, instance, type, size);
        } catch (VirtualMachineError noRoom) {
            // The thread's stack or the heap is nearly full: not the listener's fault.
            listenerFaults.increment();
        } catch (Throwable fault) {
            listenerFaults.increment();
            slot.failed(fault);
        }
    }

    /** Twice the interval each time the budget of a second is used up within it. Zero was asked for and stays: every allocation. */
    private void account() {
        int limit = budget;
        int count = inWindow.incrementAndGet();
        if (limit <= 0 || interval <= 0 || count % limit != 0) {
            return;
        }
        long now = ticker.nanos();
        if (now - windowStart < SECOND) {
            raised.increment();
            interval(Math.min(SampledAllocations.MAX_INTERVAL_BYTES, interval * 2));
        } else {
            windowStart = now;
            inWindow.set(0);
        }
    }

    /** Samples so far. */
    long samples() {
        return samples.sum();
    }
}
