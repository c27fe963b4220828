package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.TrustedLookup;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FinalizationQueueTest {
    private static final int OBJECTS = 200;

    private final FinalizationQueue queue = FinalizationQueue.open(HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), new Counters())).orElseThrow();

    /** Its finalizer waits, and with it all others. */
    private static final class Slow {
        private final CountDownLatch until;

        Slow(CountDownLatch until) {
            this.until = until;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() throws InterruptedException {
            until.await();
        }
    }

    @Test
    void objectsThatWaitForTheirFinalizerAreCountedAndNamed() throws InterruptedException {
        CountDownLatch finalizersMayRun = new CountDownLatch(1);
        try {
            make(finalizersMayRun);
            for (int i = 0; i < 5_000 && queue.elements() < OBJECTS - 1; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(queue.elements()).isGreaterThanOrEqualTo(OBJECTS - 1);
            assertThat(queue.classes(OBJECTS).get(Slow.class.getName())).isBetween(OBJECTS / 2, OBJECTS);
            SearchFinding finding = queue.finding(-1, 64, Instant.EPOCH).orElseThrow();
            assertThat(finding.accumulation().ownerClass()).isEqualTo(Slow.class.getName());
            assertThat(finding.accumulation().holder()).isEqualTo(FinalizationQueue.HOLDER);
            assertThat(finding.accumulation().probe().elements()).isGreaterThanOrEqualTo(OBJECTS - 1);
            assertThat(finding.chains().get(0).root().kind()).isEqualTo(RootKind.FINALIZER_QUEUE);
        } finally {
            finalizersMayRun.countDown();
        }
        for (int i = 0; i < 20_000 && queue.elements() > 0; i++) {
            Thread.sleep(10);
        }
        assertThat(queue.elements()).isZero();
        assertThat(queue.finding(-1, 64, Instant.EPOCH)).isEmpty();
    }

    private static void make(CountDownLatch until) {
        for (int i = 0; i < OBJECTS; i++) {
            new Slow(until);
        }
    }
}
