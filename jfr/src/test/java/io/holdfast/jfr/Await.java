package io.holdfast.jfr;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a condition, generously. */
final class Await {
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    private Await() { }

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new AssertionError("Waited in vain for: " + what);
            }
            Thread.onSpinWait();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
