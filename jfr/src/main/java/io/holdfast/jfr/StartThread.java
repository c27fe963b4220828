package io.holdfast.jfr;

import io.holdfast.core.Counters;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs one piece of work that may start Flight Recorder, on a daemon thread that ends with it.
 *
 * <p>Flight Recorder's own threads descend from the thread that first uses it and would inherit its context class loader and thread-locals for
 * the life of the JVM. Therefore this thread has neither.
 */
final class StartThread {
    static final String NAME = "holdfast-jfr-start";

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile String failure;

    private StartThread() { }

    /** Starts the work. What it throws becomes {@link #failure} and is counted under {@code counter}. */
    static StartThread run(Work work, String task, Counters counters, String counter) {
        StartThread started = new StartThread();
        Thread thread = new Thread(null, () -> {
            try {
                work.run();
            } catch (Throwable e) {
                started.failure = JfrFailure.text(task, e);
                counters.increment(counter);
            } finally {
                started.ended.countDown();
            }
        }, NAME, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
        return started;
    }

    /** Why the work failed, as one sentence, or null. */
    String failure() {
        return failure;
    }

    /** Waits for the work to end. Returns whether it has; an interrupt ends the wait and stays set. */
    boolean await(long seconds) {
        try {
            return ended.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ended.getCount() == 0;
        }
    }

    /** Work that may fail in any way. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }
}
