package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.GcEpochs;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** On the collector that happens to run. */
class GarbageCollectionSourceTest {
    @Test
    void an_explicit_collection_advances_the_epoch_and_disproves() throws InterruptedException {
        GcEpochs epochs = new GcEpochs();
        BlockingQueue<long[]> usages = new LinkedBlockingQueue<>();
        try (GarbageCollectionSource source = new GarbageCollectionSource(epochs, (nanos, used) -> usages.add(new long[] {nanos, used}))) {
            assertThat(source.collectorName()).isNotBlank();
            await(() -> {
                System.gc();
                return epochs.disprovingCollections() > 0;
            });
            assertThat(epochs.epoch()).isPositive();
            long[] usage = usages.poll(5, TimeUnit.MINUTES);
            assertThat(usage).isNotNull();
            assertThat(usage[1]).isBetween(1L, Runtime.getRuntime().maxMemory());
        }
    }

    @Test
    void a_closed_source_is_silent() {
        GcEpochs closedEpochs = new GcEpochs();
        GcEpochs openEpochs = new GcEpochs();
        GarbageCollectionSource closed = new GarbageCollectionSource(closedEpochs, (nanos, used) -> { });
        closed.close();
        closed.close();
        try (GarbageCollectionSource open = new GarbageCollectionSource(openEpochs, (nanos, used) -> { })) {
            collected(openEpochs, 2);
            // Whatever was told of a collection before the close has arrived by now.
            long before = closedEpochs.epoch();
            collected(openEpochs, 2);
            assertThat(open).isNotNull();
            assertThat(closedEpochs.epoch()).isEqualTo(before).isLessThan(openEpochs.epoch());
        }
    }

    private static void collected(GcEpochs epochs, int times) {
        long before = epochs.epoch();
        await(() -> {
            System.gc();
            return epochs.epoch() >= before + times;
        });
    }

    @Test
    void a_listener_that_throws_does_not_stop_the_count() {
        GcEpochs epochs = new GcEpochs();
        try (GarbageCollectionSource source = new GarbageCollectionSource(epochs, (nanos, used) -> {
            throw new IllegalStateException("on purpose");
        })) {
            assertThat(source).isNotNull();
            await(() -> {
                System.gc();
                return epochs.epoch() > 1;
            });
        }
    }

    private static void await(BooleanSupplier condition) {
        long limit = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within the limit").isLessThan(limit);
            Thread.yield();
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
    }
}
