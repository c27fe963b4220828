package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.Ticker;
import io.holdfast.refchains.test.heap.Fixtures;
import io.holdfast.refchains.test.heap.Redeployed;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SnapshotRootsTest {
    private final Counters counters = new Counters();
    private final WellKnownLoaders loaders = new WellKnownLoaders(HeapAccess.class.getClassLoader());
    private final Ticker ticker = new Ticker() {
        private long now;

        @Override
        public long nanos() {
            return now += 5;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    };

    private Roots roots(ClassListing classes, ThreadListing threads) {
        return new SnapshotRoots(classes, threads, loaders, ticker, counters);
    }

    @Test
    void putsTheApplicationFirstAndLeavesOutWhatIsNoRoot() throws Exception {
        CopyingLoader custom = new CopyingLoader(Redeployed.class.getName(), null);
        Class<?> redeployed = Class.forName(Redeployed.class.getName(), true, custom);
        Class<?> lambda = Fixtures.capture("").getClass();
        Class<?> recorder = Class.forName("jdk.jfr.internal.PlatformRecorder", false, null);
        Roots roots = roots(() -> new Class<?>[] {String.class, java.sql.Date.class, null, Fixtures.Registry.class, redeployed, lambda, recorder,
            Object[].class, int.class, HeapAccess.class, java.util.List.class}, () -> new Thread[0]);
        assertThat(roots.classes()).containsExactly(Fixtures.Registry.class, java.sql.Date.class, String.class, java.util.List.class);
        assertThat(roots.loaders()).containsExactly(custom);
        assertThat(roots.stoppedNanos()).as("two listings of one tick each").isEqualTo(10);
    }

    @Test
    void leavesOutThreadsOfOurs() {
        Thread worker = new Thread("http-1");
        Roots roots = roots(() -> new Class<?>[0], () -> new Thread[] {null, new Thread("holdfast"), worker, new Thread("JFR Periodic Tasks")});
        assertThat(roots.threads()).containsExactly(worker);
    }

    @Test
    void countsListingsThatFail() {
        Roots roots = roots(() -> {
            throw new IllegalStateException("gone");
        }, () -> {
            throw new NoClassDefFoundError("gone");
        });
        assertThat(roots.classes()).isEmpty();
        assertThat(roots.threads()).isEmpty();
        assertThat(counters.get(SnapshotRoots.FAILED)).isEqualTo(2);
    }
}
