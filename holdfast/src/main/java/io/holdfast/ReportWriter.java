package io.holdfast;

import io.holdfast.core.Counters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Keeps the JSON report on disk up to date: written at the start, at each new finding, every {@value #INTERVAL_SECONDS} seconds and at the end, so
 * that it is there even when the process is killed. A path that cannot be written is said once; nothing is tried again until the next write
 * is due.
 */
final class ReportWriter {
    static final long INTERVAL_SECONDS = 10;
    private static final long INTERVAL_NANOS = INTERVAL_SECONDS * 1_000_000_000L;

    private final ReportFile file;
    private final Supplier<LeakReport> snapshot;
    private final HoldfastLog log;
    private final Counters counters;
    private long lastNanos;
    private boolean complained;

    ReportWriter(Path file, Supplier<LeakReport> snapshot, HoldfastLog log, Counters counters, long nowNanos) {
        this.file = new ReportFile(file);
        this.snapshot = snapshot;
        this.log = log;
        this.counters = counters;
        this.lastNanos = nowNanos;
    }

    void writeIfDue(long nowNanos) {
        if (nowNanos - lastNanos >= INTERVAL_NANOS) {
            write(nowNanos);
        }
    }

    synchronized void write(long nowNanos) {
        lastNanos = nowNanos;
        try {
            file.write(JsonReport.render(snapshot.get()));
        } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
            counters.increment("report.write.failed");
            if (!complained) {
                complained = true;
                log.error("Holdfast: report=" + file + " cannot be written (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                        + "). The program and the search go on.");
            }
        }
    }
}
