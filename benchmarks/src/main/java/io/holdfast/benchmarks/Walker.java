package io.holdfast.benchmarks;

import io.holdfast.agent.AttachResult;
import io.holdfast.agent.SelfAttach;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.refchains.SearchSettings;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The real search, with the real roots of this JVM, on a budget of the benchmark's. */
final class Walker {
    /** As much as it can, in one slice: nothing is weakened in between. */
    static final PassLimits ONE_SLICE = new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, true, false);
    /** As much as it can in slices of the default length. */
    static final PassLimits SLICES = new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 5_000_000, true, false);

    private final IncrementalChainSearch search;
    private long candidates;

    /** What one walk did and cost: CPU of the walking thread only, so without the collector's. */
    record Result(SearchSummary summary, long wallNanos, long cpuNanos) { }

    private Walker(HeapAccess access) {
        SearchSettings settings = SearchSettings.defaults(0).withFrontierCap(SearchSettings.MAX_FRONTIER_CAP).withTtlNanos(0);
        search = new IncrementalChainSearch(access, settings, Ticker.system(), new Counters());
    }

    /** At the access level of the agent. */
    static Walker open() {
        AttachResult attached = SelfAttach.attach();
        if (!attached.attached()) {
            throw new IllegalStateException(attached.reason());
        }
        HeapAccess access = HeapAccess.open(TrustedLookup.fromInstrumentation(attached.instrumentation()), Optional.of(attached.instrumentation()),
                new Counters());
        if (!access.level().equals(HeapAccess.AGENT)) {
            throw new IllegalStateException("access level " + access.level());
        }
        return new Walker(access);
    }

    /** Walks everything once: a search for nothing ends when nothing is left to walk. */
    Result walkAll(PassLimits limits) {
        return run(limits, pass -> { });
    }

    /** Tells {@code eachPass} about each pass. */
    Result walkAll(PassLimits limits, Consumer<PassReport> eachPass) {
        return run(limits, eachPass);
    }

    /** Searches an object that no root leads to: walks everything, then reads again what may have changed meanwhile, as often as a search does. */
    Result searchInVain(PassLimits limits) {
        Object sought = new Walker[1];
        TrackedInstance instance = new TrackedInstance(0, new WeakReference<>(sought), 0, 1, 0, 1, false, 0);
        search.watch(List.of(new LeakCandidate(++candidates, sought.getClass().getName(),
                new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(), 0, 0, Instant.EPOCH), List.of(instance), List.of(), LiveEstimate.NONE)));
        Result result = run(limits, pass -> { });
        Reference.reachabilityFence(sought);
        return result;
    }

    private Result run(PassLimits limits, Consumer<PassReport> eachPass) {
        long wall = System.nanoTime();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        search.restart(wall);
        while (search.state() == SearchState.RUNNING) {
            eachPass.accept(search.runPass(limits));
        }
        cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        wall = System.nanoTime() - wall;
        SearchSummary summary = search.summary();
        if (summary.state() != SearchState.COMPLETED) {
            throw new IllegalStateException("the walk did not come to its end: " + summary);
        }
        search.takeFindings();
        search.release();
        return new Result(summary, wall, cpu);
    }
}
