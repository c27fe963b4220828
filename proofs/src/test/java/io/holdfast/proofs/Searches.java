package io.holdfast.proofs;

import io.holdfast.agent.AttachResult;
import io.holdfast.agent.SelfAttach;
import io.holdfast.agent.StackWalks;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.StackLocals;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.refchains.SearchSettings;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The real search over the real roots of this JVM, with the agent's access. */
final class Searches {
    final Counters counters = new Counters();
    final Instrumentation instrumentation;
    final IncrementalChainSearch search;
    /** Null if threads are not asked for their locals. */
    final StackWalks stackWalks;

    Searches(boolean askThreads) {
        AttachResult attached = SelfAttach.attach();
        if (!attached.attached()) {
            throw new IllegalStateException(attached.reason());
        }
        instrumentation = attached.instrumentation();
        HeapAccess access = HeapAccess.open(TrustedLookup.fromInstrumentation(instrumentation), Optional.of(instrumentation), counters);
        if (!access.level().equals(HeapAccess.AGENT)) {
            throw new IllegalStateException("access level " + access.level());
        }
        stackWalks = askThreads ? StackWalks.open(TrustedLookup.fromInstrumentation(instrumentation).orElseThrow(), Ticker.system(), counters) : null;
        search = new IncrementalChainSearch(access, SearchSettings.defaults(0).withFrontierCap(4_000_000).withTtlNanos(0), Ticker.system(), counters,
                askThreads ? stackWalks : StackLocals.NONE);
    }

    static LeakCandidate candidate(long id, List<?> instances) {
        return candidate(id, instances, Thread.currentThread().getId());
    }

    /** Instances that the thread of that id has allocated. */
    static LeakCandidate candidate(long id, List<?> instances, long threadId) {
        List<TrackedInstance> tracked = new ArrayList<>();
        for (Object instance : instances) {
            int i = tracked.size();
            tracked.add(new TrackedInstance(i, new WeakReference<>(instance), 0, threadId, i, 1, false, i));
        }
        return new LeakCandidate(id, instances.get(0).getClass().getName(),
                new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(), 0, 0, Instant.EPOCH), tracked, List.of(), LiveEstimate.NONE);
    }

    /** Searches in back-to-back slices until the search ends or {@code givenUp}; the findings, then empty. */
    List<SearchFinding> run(List<LeakCandidate> candidates, long sliceNanos, BooleanSupplier givenUp) {
        search.watch(candidates);
        search.restart(System.nanoTime());
        PassLimits limits = new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, sliceNanos, true, true);
        while (search.state() == SearchState.RUNNING) {
            if (givenUp.getAsBoolean()) {
                search.clear();
                return List.of();
            }
            search.runPass(limits);
        }
        List<SearchFinding> findings = search.takeFindings();
        search.release();
        return findings;
    }
}
