package io.holdfast;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.ChainResult;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.refchains.SearchSettings;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One search for objects the caller has in hand, at full speed on the calling thread. The objects are held weakly between its slices. */
final class DirectSearch {
    private static final long SLICE_NANOS = Duration.ofMillis(50).toNanos();
    /** The table may take a tenth of the heap that is free when the search starts: the caller asked for it. */
    private static final int FREE_HEAP_DIVISOR = 10;
    private static final int BYTES_PER_ENTRY = 32;

    private final HeapAccess access;
    private final Ticker ticker;
    private final Counters counters;

    /**
     * What came of it.
     *
     * @param finding null when the search was broken off
     * @param reason  why it was, or null
     * @param cost    figures of the search
     */
    record Outcome(SearchFinding finding, String reason, SearchSummary cost) { }

    DirectSearch(HeapAccess access, Ticker ticker, Counters counters) {
        this.access = access;
        this.ticker = ticker;
        this.counters = counters;
    }

    /**
     * @param sought   at most {@link LeakCandidate#MAX_INSTANCES}
     * @param deadline on the ticker
     * @param stopped  asked between slices
     */
    Outcome run(List<? extends WeakReference<?>> sought, String className, long deadline, BooleanSupplier stopped) {
        IncrementalChainSearch search = new IncrementalChainSearch(access, settings(), ticker, counters);
        List<TrackedInstance> instances = new ArrayList<>();
        for (WeakReference<?> object : sought) {
            instances.add(new TrackedInstance(instances.size() + 1L, object, 0, TrackedInstance.UNKNOWN_THREAD, 0, 0, false, ticker.nanos()));
        }
        search.watch(List.of(new LeakCandidate(1, className, new CandidateTrend(CandidateTrend.Evidence.WATCHED, List.of(), 0, 0, ticker.now()),
                instances, List.of(), LiveEstimate.NONE)));
        search.restart(ticker.nanos());
        PassLimits limits = new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, SLICE_NANOS, true, true);
        while (search.state() == SearchState.RUNNING) {
            if (ticker.nanos() - deadline >= 0 || stopped.getAsBoolean()) {
                search.clear();
                return new Outcome(null, ChainResult.TIMEOUT, search.summary());
            }
            search.runPass(limits);
        }
        List<SearchFinding> findings = search.takeFindings();
        return findings.isEmpty() ? new Outcome(null, ChainResult.COLLECTED, search.summary()) : new Outcome(findings.get(0), null, search.summary());
    }

    private static SearchSettings settings() {
        Runtime runtime = Runtime.getRuntime();
        long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        SearchSettings defaults = SearchSettings.defaults(runtime.maxMemory());
        long cap = Math.max(defaults.frontierCap(), Math.min(SearchSettings.MAX_FRONTIER_CAP, free / FREE_HEAP_DIVISOR / BYTES_PER_ENTRY));
        return defaults.withFrontierCap((int) cap).withTtlNanos(0).withoutContents();
    }
}
