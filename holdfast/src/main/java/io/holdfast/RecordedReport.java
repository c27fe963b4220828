package io.holdfast;

import io.holdfast.jfr.RecordedFindings;
import io.holdfast.jfr.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A report as events carry it, and back. */
final class RecordedReport {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long NANOS_PER_MICRO = 1_000;

    private RecordedReport() { }

    /** All of a report but leaks and searches, which are events of their own. */
    static RunStatus status(LeakReport report, int trackedObjects) {
        LeakReport.Cost cost = report.cost();
        return new RunStatus(report.version(), report.startedAt(), report.pid(), report.jvm().version(), report.jvm().gc(), report.jvm().accessLevel(),
                report.settled(), report.verdict(), trackedObjects, report.floorBytes(), report.secondsToExhaustion(), report.counters(),
                new RunStatus.Cost(Math.round(cost.cpuMillis() * NANOS_PER_MILLI), cost.cpuShare(), cost.longestSliceMicros() * NANOS_PER_MICRO,
                        cost.bytesHeld(), cost.hookSlowPathNanosP99(), Math.round(cost.stoppedMillis() * NANOS_PER_MILLI)), report.limits(), report.allocation());
    }

    /** The report again. Times are to the millisecond; what is missing in the recording is a limit. */
    static LeakReport of(RecordedFindings findings) {
        RunStatus status = findings.status();
        RunStatus.Cost cost = status.cost();
        List<String> limits = new ArrayList<>(status.limits());
        limits.addAll(findings.gaps());
        return new LeakReport(status.version(), findings.asOf(), status.startedAt(), status.pid(),
                new LeakReport.Jvm(status.jvmVersion(), status.collector(), status.accessLevel()), status.settled(), findings.leaks(), findings.searches(),
                status.floorBytes(), status.secondsToExhaustion(), new TreeMap<>(status.counters()),
                new LeakReport.Cost(cost.cpuNanos() / NANOS_PER_MILLI, cost.cpuShare(), cost.longestSliceNanos() / NANOS_PER_MICRO, cost.bytesHeld(),
                        cost.hookSlowPathNanosP99(), cost.stoppedNanos() / NANOS_PER_MILLI), limits, status.allocation());
    }
}
