package io.holdfast;

import io.holdfast.agent.LearnedSite;
import io.holdfast.agent.SiteFile;
import io.holdfast.core.Counters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * The file of {@code sites=FILE}: read at the start, written every {@value #WRITE_SECONDS} s when it would change, at {@code close()} and when the JVM ends. A
 * file that cannot be read is not written either: it may be somebody else's. Any thread.
 */
final class LearnedSites {
    static final int WRITE_SECONDS = 30;
    private static final long COLLECT_NANOS = 5_000_000_000L;
    private static final long WRITE_NANOS = WRITE_SECONDS * 1_000_000_000L;

    private final Path path;
    private final HoldfastLog log;
    private final SiteFile file;
    private List<LearnedSite> sites;
    private boolean usable = true;
    private long collectedNanos;
    private long writtenNanos;

    LearnedSites(Path path, HoldfastLog log, Counters counters, long nowNanos) {
        this.path = path;
        this.log = log;
        this.file = new SiteFile(path, counters);
        this.collectedNanos = nowNanos;
        this.writtenNanos = nowNanos;
    }

    /** What the last run has learned; none after a failure, which is one line in the log. */
    synchronized List<LearnedSite> read() {
        try {
            return file.read();
        } catch (IOException | RuntimeException e) {
            fail("read", e);
            return List.of();
        }
    }

    /** On the Holdfast thread, often. */
    synchronized void follow(long nowNanos, Supplier<List<LearnedSite>> now) {
        if (!usable || nowNanos - collectedNanos < COLLECT_NANOS) {
            return;
        }
        collectedNanos = nowNanos;
        sites = now.get();
        if (nowNanos - writtenNanos >= WRITE_NANOS) {
            writtenNanos = nowNanos;
            write();
        }
    }

    /** Writes what was known at the last look. */
    synchronized void write() {
        if (!usable || sites == null) {
            return;
        }
        try {
            file.write(sites);
        } catch (IOException | RuntimeException e) {
            fail("written", e);
        }
    }

    private void fail(String what, Exception e) {
        usable = false;
        log.warn("Holdfast: sites=" + path + " cannot be " + what + " (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                + "); nothing is learned for the next start. Everything else works.");
    }
}
