package io.holdfast.scheduler;

import io.holdfast.core.PassReport;

/** What the loop keeps about the current search from its start until it has been freed and charged. Not thread-safe. */
final class SearchLife {
    private boolean held;
    private boolean endSeen;
    private long stoppedNanos;
    private long totalStoppedNanos;
    private long searches;
    private long passes;
    private long totalCpuNanos;

    void started() {
        held = true;
        endSeen = false;
        searches++;
    }

    void passed(PassReport report) {
        stoppedNanos += report.stoppedNanos();
        totalStoppedNanos += report.stoppedNanos();
        totalCpuNanos += report.cpuNanos();
        passes++;
    }

    void released() {
        held = false;
    }

    /** Whether a search was started and has not been freed since. */
    boolean held() {
        return held;
    }

    /** True for the first call after a search has ended. */
    boolean endSeenFirst() {
        boolean first = held && !endSeen;
        endSeen = true;
        return first;
    }

    /** Stopping calls of the ended search; handed out once. */
    long takeStoppedNanos() {
        long nanos = stoppedNanos;
        stoppedNanos = 0;
        return nanos;
    }

    long searches() {
        return searches;
    }

    long passes() {
        return passes;
    }

    long totalCpuNanos() {
        return totalCpuNanos;
    }

    long totalStoppedNanos() {
        return totalStoppedNanos;
    }
}
