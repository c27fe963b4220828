package io.holdfast;

import io.holdfast.core.ChainResult;
import io.holdfast.core.Counters;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.Ticker;
import io.holdfast.refchains.HeapAccess;
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
    /** Time between two looks whether the engine is up. */
    private static final long POLL_MILLIS = 20;
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
        DirectSearch.Outcome outcome = new DirectSearch(access, ticker, counters).run(List.of(sought), className, deadline, closed);
        SearchFinding finding = outcome.finding();
        if (finding == null && !outcome.reason().equals(ChainResult.COLLECTED)) {
            return new ChainResult.NotReached(closed.getAsBoolean() ? "Holdfast is closed" : outcome.reason());
        }
        if (finding == null || sought.get() == null) {
            return new ChainResult.NotReached(ChainResult.COLLECTED);
        }
        return finding.chains().isEmpty() ? new ChainResult.NotReached(finding.outcome()) : new ChainResult.Found(finding.chains().get(0));
    }
}
