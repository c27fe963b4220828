package io.holdfast.agent;

import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.SplittableRandom;

/**
 * Takes the whole slow path once, into a sink that forgets. A class that is loaded, or a call site that is linked, for the first time in the middle of
 * JDK code that holds a lock could deadlock; after this there is none left.
 */
final class HookWarmUp {
    private HookWarmUp() { }

    /** Does nothing when the hook is in use. */
    static void run(AllocationHook hook, MethodHandles.Lookup trusted, GcEpochs epochs, Ticker ticker) {
        Counters counters = new Counters();
        SkippedHits skipped = new SkippedHits(1, new SplittableRandom());
        SampleMaker forgetful = new SampleMaker(hook, sample -> true, epochs, ticker, counters, skipped, null);
        if (!hook.open(forgetful)) {
            return;
        }
        try {
            Class<?> owner = Class.forName(hook.method().owner().replace('/', '.'), true, null);
            hook.grant(0, 1);
            trusted.in(owner).findStatic(owner, hook.method().name(), MethodType.methodType(void.class, Object.class, int.class))
                    .invoke(new Object(), 0);
            // If this is a thread of ours, or the hit passed, it went only half the way.
            skipped.passes(0, ticker.nanos());
            forgetful.take(new Object(), 0, "");
            counters.counter(SampleMaker.OWN_THREAD_HITS).increment();
        } catch (Throwable e) {
            throw new IllegalStateException("The allocation hook does not run in this JVM: " + e, e);
        } finally {
            hook.close(forgetful);
        }
    }
}
