package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SurveyScheduleTest {
    private static final long SECOND = 1_000_000_000L;

    private final SurveySchedule schedule = new SurveySchedule(100 * SECOND);

    private long restAfter(long cpuNanos, long atSeconds) {
        schedule.ended(cpuNanos, (100 + atSeconds) * SECOND);
        long rest = 0;
        while (!schedule.due((100 + atSeconds + rest) * SECOND)) {
            rest++;
        }
        return rest;
    }

    @Test
    void beginsSoon() {
        assertThat(schedule.due(102 * SECOND)).isFalse();
        assertThat(schedule.due(103 * SECOND)).isTrue();
    }

    @Test
    void restsLongerAsTheProgramGetsOlder() {
        assertThat(restAfter(0, 10)).isEqualTo(3);
        assertThat(restAfter(0, 80)).isEqualTo(10);
        assertThat(restAfter(0, 800)).isEqualTo(100);
        assertThat(restAfter(0, 100_000)).isEqualTo(300);
    }

    @Test
    void restsLongerAfterAnExpensiveWalkButNotAfterTheFirstColdOnes() {
        assertThat(restAfter(SECOND / 2, 130)).isEqualTo(17);
        assertThat(restAfter(SECOND / 2, 140)).isEqualTo(18);
        assertThat(restAfter(SECOND / 2, 150)).isEqualTo(19);
        assertThat(restAfter(SECOND / 2, 160)).isEqualTo(100);
        assertThat(restAfter(10 * SECOND, 160)).isEqualTo(300);
    }

    @Test
    void norInTheFirstTwoMinutes() {
        for (int atSeconds = 10; atSeconds < 120; atSeconds += 10) {
            assertThat(restAfter(10 * SECOND, atSeconds)).isEqualTo(Math.max(3, (atSeconds + 7) / 8));
        }
        assertThat(restAfter(SECOND, 120)).isEqualTo(200);
    }
}
