package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.TrustedLookup;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoppedTimeTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void thisVmTells() {
        StoppedTime stopped = StoppedTime.open(TrustedLookup.fromUnsafe().orElseThrow());
        long before = stopped.nanos();
        assertThat(before).isNotNegative();
        for (int i = 0; i < 1_000 && stopped.nanos() == before; i++) {
            System.gc();
        }
        assertThat(stopped.nanos()).isGreaterThan(before);
        assertThat(stopped.since(before, 100 * SECOND)).isBetween(0L, 100 * SECOND);
    }

    @Test
    void withoutAccessItIsUnknownAndAllOfTheWallTimeCounts() {
        StoppedTime stopped = StoppedTime.open(MethodHandles.publicLookup());
        assertThat(stopped.nanos()).isEqualTo(StoppedTime.UNKNOWN);
        assertThat(stopped.since(StoppedTime.UNKNOWN, SECOND)).isEqualTo(SECOND);
    }

    @Test
    void whatTheVmSaysCountsUpToTheWallTime() {
        AtomicLong millis = new AtomicLong(7);
        StoppedTime stopped = new StoppedTime(millis::get);
        long before = stopped.nanos();
        millis.addAndGet(20);
        assertThat(stopped.since(before, SECOND)).isEqualTo(20_000_000);
        assertThat(stopped.since(before, 5_000_000)).isEqualTo(5_000_000);
        millis.set(-1);
        assertThat(stopped.since(before, SECOND)).isEqualTo(SECOND);
    }
}
