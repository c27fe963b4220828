package io.holdfast.junit;

import io.holdfast.core.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Work in the background that must be waited for before an object can be gone. One thread. */
final class Grace {
    private static final long DRAIN_LIMIT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long POLL_NANOS = 1_000_000;

    private final List<Executor> executors;
    private final Duration within;
    private final Ticker ticker;
    private boolean busy;

    Grace(List<Executor> executors, Duration within, Ticker ticker) {
        this.executors = List.copyOf(executors);
        this.within = within;
        this.ticker = ticker;
    }

    static Grace none(Ticker ticker) {
        return new Grace(List.of(), Duration.ZERO, ticker);
    }

    Grace awaiting(List<Executor> more) {
        return new Grace(java.util.stream.Stream.concat(executors.stream(), more.stream()).toList(), within, ticker);
    }

    Grace within(Duration limit) {
        return new Grace(executors, limit, ticker);
    }

    long nanos() {
        return within.toNanos();
    }

    /** Waits until what was given to the executors has run, five seconds at the most. */
    void drain() {
        busy = false;
        for (Executor executor : executors) {
            busy |= !drained(executor);
        }
    }

    /** What a reader should know; empty if nothing. */
    String note() {
        return busy ? " An executor that was to be awaited was still busy after " + Duration.ofNanos(DRAIN_LIMIT_NANOS).toSeconds() + " s." : "";
    }

    private boolean drained(Executor executor) {
        if (executor instanceof ForkJoinPool pool) { // has no order: one more task would tell nothing
            return pool.awaitQuiescence(DRAIN_LIMIT_NANOS, TimeUnit.NANOSECONDS);
        }
        long deadline = ticker.nanos() + DRAIN_LIMIT_NANOS;
        try {
            CountDownLatch ran = new CountDownLatch(1);
            executor.execute(ran::countDown); // behind everything that waits
            if (!ran.await(DRAIN_LIMIT_NANOS, TimeUnit.NANOSECONDS)) {
                return false;
            }
        } catch (RejectedExecutionException shutDown) {
            // what it still had to do is waited for below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        // the other threads of a pool may still be at what came before; a scheduler's queue holds what is not due
        while (executor instanceof ThreadPoolExecutor pool && pool.getActiveCount() > 0) {
            if (ticker.nanos() - deadline >= 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }
}
