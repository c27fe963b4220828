package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Ticker;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class BusyTimeTest {
    private final AtomicLong ticks = new AtomicLong(1_000);
    private final Ticker ticker = new Ticker() {
        @Override
        public long nanos() {
            return ticks.getAndAdd(10);
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    };

    @Test
    void isCpuTimeWhereThereIsOne() {
        AtomicLong cpu = new AtomicLong();
        LongSupplier busy = BusyTime.orTicker(() -> cpu.getAndAdd(7), ticker);
        assertThat(new long[] {busy.getAsLong(), busy.getAsLong(), busy.getAsLong()}).containsExactly(0, 7, 14);
        assertThat(ticks).hasValue(1_000);
    }

    @Test
    void goesOnWhereCpuTimeIsNotMeasured() {
        LongSupplier busy = BusyTime.orTicker(() -> -1, ticker);
        assertThat(new long[] {busy.getAsLong(), busy.getAsLong()}).containsExactly(1_000, 1_010);
    }

    @Test
    void goesOnWhereCpuTimeIsRefused() {
        LongSupplier busy = BusyTime.orTicker(() -> {
            throw new UnsupportedOperationException("not for this thread");
        }, ticker);
        assertThat(new long[] {busy.getAsLong(), busy.getAsLong()}).containsExactly(1_000, 1_010);
    }
}
