package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scheduler.Gate;
import io.holdfast.scheduler.PassTimes;
import io.holdfast.scheduler.Status;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldfastStatusTest {
    private static Status at(Gate gate, long waitNanos) {
        return new Status(gate, waitNanos, 20_000, 5_000_000, 100_000_000, 42_000_000, 0.01, 37_000_000, 0.05, 6_000_000_000L, 0, 8, true, false, 1_200.5, 3, 100,
                600_000_000, 900_000_000, 12_345, 7_000_000, new PassTimes(1, 2, 3, 4, 5, 6));
    }

    @Test
    void saysWhyTheLoopWaitsAndUntilWhen() {
        HoldfastStatus status = HoldfastStatus.of(at(Gate.CPU_DEBT, 4_200_000_000L), 15_000_000);
        assertThat(status.gate()).isEqualTo("cpu_debt");
        assertThat(status.waiting()).isEqualTo("CPU debt 42 ms, drains in 4.2 s");
        assertThat(status.opensIn()).contains(Duration.ofMillis(4_200));
        assertThat(HoldfastStatus.of(at(Gate.NO_CANDIDATE, Long.MAX_VALUE), 0).opensIn()).isEmpty();
    }

    @Test
    void carriesEveryFigureInItsPlace() {
        assertThat(HoldfastStatus.of(at(Gate.SPACING, 1_000_000), 15_000_000)).isEqualTo(new HoldfastStatus("spacing", "next pass in 1.00 ms",
                Optional.of(Duration.ofMillis(1)), 20_000, Duration.ofMillis(5), Duration.ofMillis(100), Duration.ofMillis(42),
                Duration.ofMillis(37), 0.05, Duration.ofSeconds(6), 8, true, false, 1_200.5, 3, 100,
                new HoldfastStatus.Cost(Duration.ofMillis(900), Duration.ofMillis(600), 12_345, Duration.ofMillis(7), Duration.ofMillis(15),
                        Duration.ofNanos(1), Duration.ofNanos(2), Duration.ofNanos(3), Duration.ofNanos(4), Duration.ofNanos(5), Duration.ofNanos(6))));
    }

    @Test
    void beforeTheEngineIsUp() {
        HoldfastStatus status = HoldfastStatus.without("not_started", "coming up");
        assertThat(status.opensIn()).isEmpty();
        assertThat(status.secondsToExhaustion()).isEqualTo(-1);
        assertThat(status.cost().threadCpu()).isZero();
    }
}
