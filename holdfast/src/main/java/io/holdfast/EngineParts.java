package io.holdfast;

import io.holdfast.agent.AllocationInstrumentation;
import io.holdfast.core.Leak;
import io.holdfast.jfr.AllocationScout;
import io.holdfast.jfr.ContinuousRecording;
import io.holdfast.jfr.LeakEvents;
import io.holdfast.jfr.RootConfirmer;
import io.holdfast.liveness.GarbageCollectionSource;
import io.holdfast.liveness.LivenessTracker;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.scheduler.HoldfastLoop;
import java.util.List;

/** What exists once the engine is up. Instrumentation, scout, backlog, recording, confirmer and confirmations may be null. */
record EngineParts(LivenessTracker liveness, GarbageCollectionSource collections, AllocationInstrumentation instrumentation, AllocationScout scout, HeapAccess access,
                   IncrementalChainSearch search, LeakLedger ledger, FinalizationBacklog backlog, LeakEvents events, ContinuousRecording recording, HoldfastLoop loop,
                   RootConfirmer confirmer, RootConfirmations confirmations) {
    /** The leaks now, worst first, with what the JVM says of their roots. Any thread may ask. */
    List<Leak> leaks() {
        return confirmations == null ? ledger.leaks() : confirmations.with(ledger.leaks());
    }

    /** How long batches of class changes have stopped the program, in nanoseconds. */
    long classChangeNanos() {
        return instrumentation == null ? 0 : instrumentation.stoppedNanos();
    }
}
