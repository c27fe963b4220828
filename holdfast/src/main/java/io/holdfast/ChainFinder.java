package io.holdfast;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.ChainResult;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.refchains.SearchSettings;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Looks for the chain that holds one object the caller has in hand, at full speed on a thread of its own that ends with the search. One search at a
 * time. The object is held weakly while it is sought.
 */
final class ChainFinder {
    private static final long SLICE_NANOS = Duration.ofMillis(50).toNanos();
    /** Time between two looks whether the engine is up. */
    private static final long POLL_MILLIS = 20;
    /** The table may take a tenth of the heap that is free when the search starts: the caller asked for it. */
    private static final int FREE_HEAP_DIVISOR = 10;
    private static final int BYTES_PER_ENTRY = 32;
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Supplier<HeapAccessWays> ways;
    private final BooleanSupplier closed;
    private final Ticker ticker;
    private final AtomicBoolean busy = new AtomicBoolean();

    /** {@code ways} gives null as long as the engine is coming up. */
    ChainFinder(Supplier<HeapAccessWays> ways, BooleanSupplier closed, Ticker ticker) {
        this.ways = ways;
        this.closed = closed;
        this.ticker = ticker;
    }

    CompletableFuture<ChainResult> find(Object object, Duration timeout) {
        if (!busy.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(new ChainResult.NotReached("another search of this kind is running"));
        }
        WeakReference<Object> sought = new WeakReference<>(object);
        String className = object.getClass().getName();
        CompletableFuture<ChainResult> answer = new CompletableFuture<>();
        // nanoTime is compared by difference: half of its range is as good as for ever
        long deadline = ticker.nanos() + (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
        Thread thread = Engine.ownThread(() -> {
            ChainResult result;
            try {
                result = search(sought, className, deadline);
            } catch (InterruptedException e) {
                result = new ChainResult.NotReached("interrupted");
            } catch (Throwable e) { // the caller must get an answer
                result = new ChainResult.NotReached("failed: " + e);
            }
            busy.set(false);
            answer.complete(result);
        }, "holdfast-chain");
        try {
            thread.start();
        } catch (OutOfMemoryError e) { // no thread to be had
            busy.set(false);
            answer.complete(new ChainResult.NotReached("no thread could be started"));
        }
        return answer;
    }

    private ChainResult search(WeakReference<Object> sought, String className, long deadline) throws InterruptedException {
        HeapAccessWays way = ways.get();
        while (way == null && ticker.nanos() - deadline < 0 && !closed.getAsBoolean()) {
            Thread.sleep(POLL_MILLIS);
            way = ways.get();
        }
        if (way == null) {
            return new ChainResult.NotReached(closed.getAsBoolean() ? "Holdfast is closed" : ChainResult.TIMEOUT);
        }
        Counters counters = new Counters();
        HeapAccess access = HeapAccess.open(way.trusted(), way.instrumentation(), counters);
        IncrementalChainSearch search = new IncrementalChainSearch(access, settings(), ticker, counters);
        search.watch(List.of(new LeakCandidate(1, className, new CandidateTrend(CandidateTrend.Evidence.WATCHED, List.of(), 0, 0, ticker.now()),
                List.of(new TrackedInstance(1, sought, 0, 0, 0, 0, false, ticker.nanos())), List.of(), LiveEstimate.NONE)));
        search.restart(ticker.nanos());
        PassLimits limits = new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, SLICE_NANOS, true, true);
        while (search.state() == SearchState.RUNNING) {
            if (ticker.nanos() - deadline >= 0 || closed.getAsBoolean()) {
                search.clear();
                return new ChainResult.NotReached(closed.getAsBoolean() ? "Holdfast is closed" : ChainResult.TIMEOUT);
            }
            search.runPass(limits);
        }
        List<SearchFinding> findings = search.takeFindings();
        if (findings.isEmpty() || sought.get() == null) {
            return new ChainResult.NotReached(ChainResult.COLLECTED);
        }
        SearchFinding finding = findings.get(0);
        return finding.chains().isEmpty() ? new ChainResult.NotReached(finding.outcome()) : new ChainResult.Found(finding.chains().get(0));
    }

    private static SearchSettings settings() {
        Runtime runtime = Runtime.getRuntime();
        long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        SearchSettings defaults = SearchSettings.defaults(runtime.maxMemory());
        long cap = Math.max(defaults.frontierCap(), Math.min(SearchSettings.MAX_FRONTIER_CAP, free / FREE_HEAP_DIVISOR / BYTES_PER_ENTRY));
        return defaults.withFrontierCap((int) cap).withTtlNanos(0);
    }
}
