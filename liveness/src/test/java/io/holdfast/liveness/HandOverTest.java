package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationSample;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * What threads hand over to the Holdfast thread. Properties: every sample offered is either in the table exactly once or counted as dropped; a window of heap
 * readings that somebody else writes is always a run of whole readings in order.
 */
class HandOverTest {
    private static final int THREADS = 4;
    private static final int SAMPLES = 20_000;

    @RepeatedTest(3)
    void no_sample_is_lost_uncounted_and_none_comes_twice() throws InterruptedException {
        World world = new World(new LivenessSettings(200_000, 1, true, true, 0, 1));
        Object alive = new World.Session();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger(THREADS);
        AtomicLong taken = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int site = t;
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int i = 0; i < SAMPLES; i++) {
                    if (world.tracker.sink().offer(new AllocationSample(new WeakReference<>(alive), site, site, "t", null, 0, 0))) {
                        taken.incrementAndGet();
                    }
                }
                running.decrementAndGet();
            });
            thread.start();
            threads.add(thread);
        }
        go.countDown();
        while (running.get() > 0) {
            world.tracker.maintain(world.nanos);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).isEqualTo((int) taken.get());
        assertThat(taken.get() + world.counters.get(LivenessTracker.SAMPLES_DROPPED)).isEqualTo(THREADS * (long) SAMPLES);
        assertThat(world.tracker.survival().stream().mapToLong(site -> site.admitted()).sum()).isEqualTo(taken.get());
    }

    @Test
    void a_window_is_a_run_of_whole_readings() throws InterruptedException {
        UsageRing ring = new UsageRing();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread reader = new Thread(() -> {
            try {
                for (long last = 0; last < 200_000; last = ring.recorded()) {
                    UsageWindow window = ring.window();
                    for (int i = 0; i < window.fill(); i++) {
                        assertThat(window.used()[i]).isEqualTo(window.nanos()[i] * 2);
                        assertThat(window.container()[i]).isEqualTo(window.nanos()[i] * 3);
                        assertThat(i == 0 || window.nanos()[i] == window.nanos()[i - 1] + 1).isTrue();
                    }
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        reader.start();
        for (long n = 1; n <= 200_000; n++) {
            ring.record(n, n * 2, n * 3);
        }
        reader.join();
        assertThat(failure.get()).isNull();
    }
}
