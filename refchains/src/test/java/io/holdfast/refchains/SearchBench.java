package io.holdfast.refchains;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.Ticker;
import io.holdfast.core.StackLocals;
import io.holdfast.core.TrackedInstance;
import io.holdfast.core.TrustedLookup;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A search over roots that the test names, on a clock that the test moves. */
final class SearchBench implements AutoCloseable {
    static final PassLimits UNLIMITED = new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, true, false);

    final Counters counters = new Counters();
    final HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), counters).reader();
    final IncrementalChainSearch search;
    final GcEpochs epochs = new GcEpochs();
    /** Null unless the search notes what grows. */
    final GrowthSurvey survey;
    long nanos;
    /** Nanoseconds that pass with each look at the clock. */
    long clockStep;
    private long candidates;

    SearchBench(Roots roots) {
        this(roots, SearchSettings.defaults(0));
    }

    SearchBench(Roots roots, SearchSettings settings) {
        this(roots, settings, StackLocals.NONE);
    }

    SearchBench(Roots roots, SearchSettings settings, StackLocals stackLocals) {
        this(roots, settings, stackLocals, false);
    }

    /** One that notes what grows. */
    static SearchBench surveying(Roots roots) {
        return new SearchBench(roots, SearchSettings.defaults(0), StackLocals.NONE, true);
    }

    private SearchBench(Roots roots, SearchSettings settings, StackLocals stackLocals, boolean surveying) {
        Ticker ticker = new Ticker() {
            @Override
            public long nanos() {
                nanos += clockStep;
                return nanos;
            }

            @Override
            public Instant now() {
                return Instant.EPOCH.plusNanos(nanos);
            }
        };
        survey = surveying ? new GrowthSurvey(reader, object -> 0, epochs, ticker, counters) : null;
        search = new IncrementalChainSearch(reader, roots, settings, ticker, counters, () -> nanos, stackLocals, surveying ? survey : WalkObserver.NONE);
    }

    static PassLimits budget(int admissions) {
        return new PassLimits(admissions, admissions, 0, true, false);
    }

    static LeakCandidate candidate(long id, List<?> instances) {
        List<TrackedInstance> tracked = new ArrayList<>();
        for (Object instance : instances) {
            int i = tracked.size();
            tracked.add(new TrackedInstance(i, new WeakReference<>(instance), 0, 1, i, 1, false, i));
        }
        return new LeakCandidate(id, instances.get(0).getClass().getName(), new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(), 0, 0, Instant.EPOCH),
                tracked, List.of(), LiveEstimate.NONE);
    }

    /** Starts a search for the instances, which must be at most 64. */
    SearchBench seek(List<?> instances) {
        search.watch(List.of(candidate(++candidates, instances)));
        return this;
    }

    SearchBench start() {
        search.restart(nanos);
        return this;
    }

    void pass(PassLimits limits) {
        search.runPass(limits);
    }

    /** Runs passes until the search ends. */
    List<SearchFinding> finish(PassLimits limits) {
        for (int passes = 0; search.state() == SearchState.RUNNING; passes++) {
            if (passes > 1_000_000) {
                throw new AssertionError("the search does not end");
            }
            search.runPass(limits);
        }
        return search.takeFindings();
    }

    SearchFinding find(List<?> instances) {
        return seek(instances).start().finish(UNLIMITED).get(0);
    }

    @Override
    public void close() {
        search.clear();
    }
}
