package io.holdfast.jfr;

import io.holdfast.core.AllocationVolumes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a run of Holdfast says about itself besides its leaks. Immutable.
 *
 * @param version             version of Holdfast
 * @param startedAt           when Holdfast was started
 * @param pid                 process id
 * @param jvmVersion          version of the JVM
 * @param collector           its garbage collector
 * @param accessLevel         how much of the heap can be read
 * @param settled             whether Holdfast has run long enough to say that there is no leak
 * @param verdict             {@code leaks}, {@code none} or {@code undecided}
 * @param trackedObjects      objects tracked now
 * @param floorBytes          heap used after the latest collections, oldest first
 * @param secondsToExhaustion projection in seconds, -1 = none
 * @param counters            drops, caps and the like by name
 * @param cost                what Holdfast itself cost
 * @param limits              what could not be seen, one sentence each
 * @param allocation          who allocates how much, or null when nothing samples allocation
 */
public record RunStatus(String version, Instant startedAt, long pid, String jvmVersion, String collector, String accessLevel, boolean settled,
                        String verdict, int trackedObjects, List<Long> floorBytes, double secondsToExhaustion, Map<String, Long> counters, Cost cost,
                        List<String> limits, AllocationVolumes allocation) {
    public RunStatus {
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(cost, "cost");
        floorBytes = List.copyOf(floorBytes);
        counters = Map.copyOf(counters);
        limits = List.copyOf(limits);
    }

    /**
     * Cost of Holdfast.
     *
     * @param cpuNanos             CPU time of its own thread
     * @param cpuShare             the same as a share of the wall time of one core
     * @param longestSliceNanos    longest uninterrupted slice of a walk
     * @param bytesHeld            bytes of its tables, estimated
     * @param hookSlowPathNanosP99 99th percentile of the hook's slow path, -1 if not measured
     * @param stoppedNanos         time for which it stopped application threads
     */
    public record Cost(long cpuNanos, double cpuShare, long longestSliceNanos, long bytesHeld, long hookSlowPathNanosP99, long stoppedNanos) { }
}
