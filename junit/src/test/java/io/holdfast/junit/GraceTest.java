package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GraceTest {
    @Test
    void waitsForWhatRunsInAPoolWithoutOrder() throws Exception {
        waitsFor(new ForkJoinPool(2));
    }

    @Test
    void waitsForWhatRunsInAPoolOfThreads() throws Exception {
        waitsFor(Executors.newFixedThreadPool(2));
    }

    private static void waitsFor(ExecutorService pool) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        pool.execute(() -> {
            begun.countDown();
            try {
                TimeUnit.MILLISECONDS.sleep(200);
                done.set(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        begun.await();
        Grace grace = new Grace(List.of(pool), Duration.ZERO, Ticker.system());
        grace.drain();
        assertThat(done).isTrue();
        assertThat(grace.note()).isEmpty();
        pool.shutdownNow();
    }
}
