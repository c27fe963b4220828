package io.holdfast.jfr;

import io.holdfast.core.Counters;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs concurrent cycles of G1 until the scout has told of two. */
final class ConcurrentCycleWatcher {
    private ConcurrentCycleWatcher() { }

    public static void main(String[] arguments) throws Exception {
        if (!ConcurrentCycles.onlySeenByFlightRecorder()) {
            System.out.println("not needed");
            return;
        }
        AtomicInteger cycles = new AtomicInteger();
        try (AllocationScout scout = new AllocationScout(sample -> { }, new Counters(), cycles::incrementAndGet)) {
            scout.start(0);
            Await.until("two cycles", () -> {
                System.gc();
                return cycles.get() >= 2 || scout.failure().isPresent();
            });
            System.out.println(scout.failure().orElse("cycles seen"));
        }
    }
}
