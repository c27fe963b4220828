package io.holdfast;

import io.holdfast.core.Counters;
import io.holdfast.core.HoldfastOptions;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import io.holdfast.scheduler.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reports of what an engine knows now. Any thread may ask for one; the last {@value #SEARCHES_KEPT} searches are kept for it. */
final class ReportSnapshots {
    private static final int SEARCHES_KEPT = 16;
    /** After this time without a leak the report says "none" instead of "undecided". */
    private static final long SETTLED_NANOS = Duration.ofMinutes(5).toNanos();

    private final HoldfastOptions options;
    private final Ticker ticker;
    private final Counters counters;
    private final Instant startedAt;
    private final long startNanos;
    private final Deque<SearchSummary> searches = new ArrayDeque<>();

    /** The engine's age counts from here on. */
    ReportSnapshots(HoldfastOptions options, Ticker ticker, Counters counters) {
        this.options = options;
        this.ticker = ticker;
        this.counters = counters;
        this.startedAt = ticker.now();
        this.startNanos = ticker.nanos();
    }

    void ended(SearchSummary summary) {
        synchronized (searches) {
            searches.addLast(summary);
            if (searches.size() > SEARCHES_KEPT) {
                searches.removeFirst();
            }
        }
    }

    /**
     * Everything as it is now.
     *
     * @param parts   null while the engine comes up
     * @param ways    null before it is known how far into the JVM it gets
     * @param failure why it has switched itself off; null if it has not
     */
    LeakReport now(EngineParts parts, HeapAccessWays ways, String failure) {
        long nowNanos = ticker.nanos();
        List<SearchSummary> ended;
        synchronized (searches) {
            ended = List.copyOf(searches);
        }
        String level = ways == null ? "starting" : ways.level();
        if (parts == null) {
            return new LeakReport(Version.read(), ticker.now(), startedAt, ProcessHandle.current().pid(),
                    new LeakReport.Jvm(Runtime.version().toString(), "unknown", level), false, List.of(), ended, List.of(), -1, counters.snapshot(),
                    new LeakReport.Cost(0, 0, 0, 0, -1, 0), List.of(), null);
        }
        return new LeakReport(Version.read(), ticker.now(), startedAt, ProcessHandle.current().pid(),
                new LeakReport.Jvm(Runtime.version().toString(), parts.collections().collectorName(), level), nowNanos - startNanos >= SETTLED_NANOS,
                parts.leaks(), ended, parts.liveness().status().floorBytes(), parts.liveness().secondsToExhaustion(), counters.snapshot(), cost(parts, ended, nowNanos),
                limits(parts, ways, failure), parts.scout() == null ? null : parts.scout().volumes());
    }

    private LeakReport.Cost cost(EngineParts parts, List<SearchSummary> ended, long nowNanos) {
        Status status = parts.loop().status();
        double cpuMillis = status.threadCpuNanos() / 1e6;
        // also of the search that is under way, which may have found all there is to tell
        long longestSlice = Math.max(status.passTimes().longestSlice(), ended.stream().mapToLong(SearchSummary::longestSliceNanos).max().orElse(0));
        double stoppedMillis = (status.stoppedNanos() + parts.classChangeNanos()) / 1e6 + counters.get("confirm.pause.micros") / 1e3;
        return new LeakReport.Cost(cpuMillis, cpuMillis / Math.max(1, (nowNanos - startNanos) / 1e6), longestSlice / 1_000,
                parts.liveness().status().bytesHeld() + ended.stream().mapToLong(SearchSummary::tableBytes).max().orElse(0), -1, stoppedMillis);
    }

    private List<String> limits(EngineParts parts, HeapAccessWays ways, String failure) {
        List<String> limits = new ArrayList<>();
        limits.add(options.stackLocals()
                ? "Local variables are visible only of threads that allocate at sampled sites; references held by native code (JNI) are not visible."
                : "Local variables of running methods and references held by native code (JNI) are not visible.");
        limits.add("Objects allocated by native code or in hidden classes are not sampled.");
        if (ways.refusal() != null) {
            limits.add("No agent: " + ways.refusal() + ". Allocations are not sampled: only what grows from walk to walk is found, and watched objects.");
        }
        if (parts.scout() != null) {
            parts.scout().failure().ifPresent(limits::add);
        }
        if (parts.confirmer() != null) {
            parts.confirmer().failure().ifPresent(limits::add);
        }
        parts.access().closedPackages().forEach(p -> limits.add("Package " + p + " is closed and was not walked; open it with --add-opens."));
        if (failure != null) {
            limits.add("Holdfast switched itself off: " + failure);
        }
        return limits;
    }
}
