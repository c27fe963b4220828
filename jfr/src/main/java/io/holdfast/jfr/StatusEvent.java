package io.holdfast.jfr;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

@Name("holdfast.Status")
@Label("Holdfast Status")
@Description("That Holdfast runs, what it has found and what it costs; written into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class StatusEvent extends Event {
    @Label("As Of")
    @Description("Names one state of knowledge: events with this value belong together")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long asOf;

    @Label("Sequence")
    long sequence;

    @Label("Verdict")
    @Description("leaks, none, or undecided while too little has been seen")
    String verdict;

    @Label("Leaks")
    @Description("Leaks known, see holdfast.LeakCandidate")
    int leaks;

    @Label("Tracked Objects")
    int trackedObjects;

    @Label("Seconds to Exhaustion")
    @Description("-1 = no projection")
    double secondsToExhaustion;

    @Label("Heap Floor")
    @Description("Bytes used after the latest collections, oldest first")
    String floorBytes;

    @Label("Settled")
    @Description("Whether Holdfast has run long enough to say that there is no leak")
    boolean settled;

    @Label("CPU Time")
    @Timespan(Timespan.NANOSECONDS)
    long cpuTime;

    @Label("CPU Share")
    @Description("Of one core")
    @Percentage
    double cpuShare;

    @Label("Longest Slice")
    @Timespan(Timespan.NANOSECONDS)
    long longestSlice;

    @Label("Stopped Time")
    @Description("Time for which application threads were stopped")
    @Timespan(Timespan.NANOSECONDS)
    long stoppedTime;

    @Label("Hook Slow Path p99")
    @Description("Nanoseconds, -1 = not measured")
    long hookSlowPath;

    @Label("Memory Held")
    @DataAmount
    long bytesHeld;

    @Label("Version")
    String version;

    @Label("Started")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long startedAt;

    @Label("Process Id")
    long pid;

    @Label("Java Version")
    String jvmVersion;

    @Label("Collector")
    String collector;

    @Label("Access Level")
    String accessLevel;

    @Label("Limits")
    @Description("What could not be seen")
    String limits;

    @Label("Allocation Window")
    @Description("Seconds over which the bytes of holdfast.AllocationVolume were allocated")
    double allocationWindow;

    @Label("Allocation Samples")
    long allocationSamples;

    @Label("Allocation Rows")
    @Description("Rows of holdfast.AllocationVolume for classes, sites and threads")
    String allocationRows;

    @Label("Counters")
    @Description("Everything dropped, capped, refused or abandoned, by name")
    String counters;

    static StatusEvent of(RunStatus status, int leaks, Texts texts) {
        StatusEvent event = new StatusEvent();
        event.verdict = texts.of(status.verdict());
        event.leaks = leaks;
        event.trackedObjects = status.trackedObjects();
        event.secondsToExhaustion = status.secondsToExhaustion();
        event.floorBytes = texts.of(status.floorBytes().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        event.settled = status.settled();
        event.cpuTime = status.cost().cpuNanos();
        event.cpuShare = status.cost().cpuShare();
        event.longestSlice = status.cost().longestSliceNanos();
        event.stoppedTime = status.cost().stoppedNanos();
        event.hookSlowPath = status.cost().hookSlowPathNanosP99();
        event.bytesHeld = status.cost().bytesHeld();
        event.version = texts.name(status.version());
        event.startedAt = status.startedAt().toEpochMilli();
        event.pid = status.pid();
        event.jvmVersion = texts.name(status.jvmVersion());
        event.collector = texts.name(status.collector());
        event.accessLevel = texts.name(status.accessLevel());
        event.limits = texts.of(TextList.LINES.write(status.limits()));
        event.allocationRows = "";
        if (status.allocation() != null) {
            event.allocationWindow = status.allocation().windowSeconds();
            event.allocationSamples = status.allocation().samples();
            event.allocationRows = VolumeRows.counts(status.allocation());
        }
        event.counters = texts.of(TextList.LINES.write(counters(status)));
        return event;
    }

    private static List<String> counters(RunStatus status) {
        return new TreeMap<>(status.counters()).entrySet().stream().map(counter -> counter.getKey() + "=" + counter.getValue()).toList();
    }
}
