package io.holdfast.agent;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.SampleSink;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

/**
 * Turns a hit into a sample, on the allocating thread, in the middle of whatever code it is in: takes no lock, loads no class, calls nothing of the
 * application. About 2 microseconds, nearly all of it for the stack;
 * where the thread is wanted to look at its frames, 0.1 to 1 ms more, at most twice a second.
 */
final class SampleMaker implements ObjLongConsumer<Object> {
    static final String OWN_THREAD_HITS = "agent.hits.own_threads";
    private static final String OWN_THREAD = "holdfast";
    private static final String JFR_THREADS = "JFR ";

    private final AllocationHook hook;
    private final SampleSink sink;
    private final GcEpochs epochs;
    private final Ticker ticker;
    private final LongAdder ownThreadHits;
    private final SkippedHits skipped;
    /** Null where no thread looks at its frames. */
    private final StackRequests stacks;

    SampleMaker(AllocationHook hook, SampleSink sink, GcEpochs epochs, Ticker ticker, Counters counters, SkippedHits skipped, StackRequests stacks) {
        this.hook = hook;
        this.sink = sink;
        this.epochs = epochs;
        this.ticker = ticker;
        this.ownThreadHits = counters.counter(OWN_THREAD_HITS);
        this.skipped = skipped;
        this.stacks = stacks;
    }

    @Override
    public void accept(Object instance, long threadAndSite) {
        String threadName = Thread.currentThread().getName();
        if (instance == null || threadName == null) {
            return; // A thread that is just being attached by native code has no name yet.
        }
        if (ours(threadName)) {
            // Holdfast grants the tokens and then goes on through the same JDK code: it would eat them all.
            hook.giveBack(siteOf(threadAndSite));
            ownThreadHits.increment();
            return;
        }
        if (skipped.passes(siteOf(threadAndSite), ticker.nanos())) {
            hook.giveBack(siteOf(threadAndSite));
            return;
        }
        hook.take(siteOf(threadAndSite));
        take(instance, threadAndSite, threadName);
    }

    /** Whether a thread of that name works for Holdfast. */
    static boolean ours(String threadName) {
        return threadName.equals(OWN_THREAD) || threadName.startsWith(JFR_THREADS);
    }

    /** Makes the sample, whatever the thread. */
    void take(Object instance, long threadAndSite, String threadName) {
        sink.offer(new AllocationSample(new WeakReference<>(instance), siteOf(threadAndSite), threadAndSite >> HookBytecode.SITE_BITS, threadName,
                new AllocationStack(), ticker.nanos(), epochs.epoch()));
        if (stacks != null) {
            stacks.hit(threadAndSite >> HookBytecode.SITE_BITS, threadName);
        }
    }

    private static int siteOf(long threadAndSite) {
        return (int) threadAndSite & (HookBytecode.MAX_SITES - 1);
    }
}
