package io.holdfast;

import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.SearchSummary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything Holdfast knows at one moment; the value behind the JSON report. Immutable, holds no object of the application.
 *
 * @param version           version of Holdfast
 * @param writtenAt         when this snapshot was made
 * @param startedAt         when Holdfast was started
 * @param pid               process id
 * @param jvm               the machine it ran on
 * @param settled           whether Holdfast has run long enough to say "none"
 * @param leaks             leaks, worst first
 * @param searches          the newest searches, at most 16
 * @param floorBytes        heap used after the latest collections, oldest first
 * @param secondsToExhaustion projection, -1 = none
 * @param counters          drops, caps and the like by name
 * @param cost              what Holdfast itself cost
 * @param limits            what could not be seen, one sentence each
 * @param allocation        who allocates how much, or null when nothing samples allocation
 */
public record LeakReport(String version, Instant writtenAt, Instant startedAt, long pid, Jvm jvm, boolean settled, List<Leak> leaks,
                         List<SearchSummary> searches, List<Long> floorBytes, double secondsToExhaustion, Map<String, Long> counters, Cost cost,
                         List<String> limits, AllocationVolumes allocation) {
    public LeakReport {
        leaks = List.copyOf(leaks);
        searches = List.copyOf(searches);
        floorBytes = List.copyOf(floorBytes);
        limits = List.copyOf(limits);
    }

    /** The JVM: version, collector, and how much of the heap could be read. */
    public record Jvm(String version, String gc, String accessLevel) { }

    /**
     * Cost of Holdfast.
     *
     * @param cpuMillis              CPU time of its own thread
     * @param cpuShare               the same as a share of the wall time of one core
     * @param longestSliceMicros     longest uninterrupted slice of a walk
     * @param bytesHeld              bytes of its tables, estimated
     * @param hookSlowPathNanosP99   99th percentile of the hook's slow path on application threads, -1 if not measured
     * @param stoppedMillis          time for which it stopped application threads (retransformation, list of classes)
     */
    public record Cost(double cpuMillis, double cpuShare, long longestSliceMicros, long bytesHeld, long hookSlowPathNanosP99, double stoppedMillis) { }

    /** {@code leaks}, {@code none}, or {@code undecided} while too little has been seen. */
    public String verdict() {
        if (leaks.stream().anyMatch(l -> l.state() != LeakState.RESOLVED)) {
            return "leaks";
        }
        return settled ? "none" : "undecided";
    }

    /** The JSON report, schema 1. Class and field names only, no values of the application. */
    public String toJson() {
        return JsonReport.render(this);
    }

    /** One leak as an object of the JSON report; empty when there is none of that id. */
    public Optional<String> toJson(String leakId) {
        return leak(leakId).map(JsonReport::render);
    }

    /** The report as text: the blocks of the log, with what people need around them. */
    public String toText() {
        return TextReport.render(this);
    }

    /** The leak of that id. */
    public Optional<Leak> leak(String leakId) {
        return leaks.stream().filter(leak -> leak.id().equals(leakId)).findFirst();
    }
}
