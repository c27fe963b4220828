package io.holdfast.refchains;

import io.holdfast.core.Ticker;
import java.util.function.BooleanSupplier;

/**
 * One uninterrupted stretch of work: when it must end, and how many objects it may admit. The clock is read every {@link #READS_PER_CHECK}
 * references. Not thread-safe; the stop request may come from any thread.
 */
final class Slice {
    static final int READS_PER_CHECK = 256;

    private final Ticker ticker;
    private final BooleanSupplier stopRequested;
    private long startedAt;
    private long length;
    private int untilCheck;
    private boolean over;
    private int admissionsLeft;
    private long references;
    private long admitted;
    private long steps;

    Slice(Ticker ticker, BooleanSupplier stopRequested) {
        this.ticker = ticker;
        this.stopRequested = stopRequested;
    }

    /** Starts a stretch. {@code sliceNanos} 0 = no limit. */
    void begin(long sliceNanos, int admissions) {
        startedAt = ticker.nanos();
        length = sliceNanos;
        untilCheck = READS_PER_CHECK;
        admissionsLeft = admissions;
        over = stopRequested.getAsBoolean();
    }

    long elapsedNanos() {
        return ticker.nanos() - startedAt;
    }

    boolean over() {
        return over;
    }

    /** Reads the clock now. */
    boolean check() {
        untilCheck = READS_PER_CHECK;
        if (!over) {
            over = stopRequested.getAsBoolean() || length > 0 && ticker.nanos() - startedAt >= length;
        }
        return over;
    }

    /** Counts one reference read. */
    void read() {
        references++;
        if (--untilCheck <= 0) {
            check();
        }
    }

    /** Counts several references read at once, by parts that check the clock themselves. */
    void read(int count) {
        references += count;
        untilCheck -= count;
        if (untilCheck <= 0) {
            check();
        }
    }

    /** Notes that some piece of work has been done for good. */
    void advance() {
        steps++;
    }

    boolean mayAdmit() {
        return admissionsLeft > 0;
    }

    void admit() {
        admissionsLeft--;
        admitted++;
    }

    int admissionsLeft() {
        return admissionsLeft;
    }

    /** References read since the search began. */
    long references() {
        return references;
    }

    /** Objects admitted since the search began. */
    long admitted() {
        return admitted;
    }

    /** Pieces of work done since the search began: no change means no progress. */
    long steps() {
        return steps;
    }
}
