package com.acme.shop;

import io.holdfast.junit.LeakAsserts;
import io.holdfast.junit.LeakCheck;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.Queue;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests of one class beside each other: each must be told its own leaks only. */
@Execution(ExecutionMode.CONCURRENT)
class ParallelScenario {
    private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

    @RepeatedTest(6)
    @LeakCheck(watch = Session.class)
    void passWatched() {
        for (int i = 0; i < 500; i++) {
            new Session().listener.run();
        }
    }

    @RepeatedTest(6)
    @LeakCheck(watch = Session.class)
    void failWatched() throws InterruptedException {
        Thread thread = new Thread(() -> KEPT.add(new Session()));
        thread.start();
        thread.join();
    }

    @RepeatedTest(6)
    @LeakCheck
    void passAsserted(LeakAsserts leaks) {
        leaks.assertCollectable(Object::new);
    }

    @RepeatedTest(6)
    @LeakCheck
    void failAsserted(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            Object kept = new Object();
            KEPT.add(kept);
            return kept;
        });
    }
}
