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
        assertThat(restAfter(SECOND / 2, 10)).isEqualTo(3);
        assertThat(restAfter(SECOND / 2, 20)).isEqualTo(3);
        assertThat(restAfter(SECOND / 2, 30)).isEqualTo(4);
        assertThat(restAfter(SECOND / 2, 40)).isEqualTo(100);
        assertThat(restAfter(10 * SECOND, 40)).isEqualTo(300);
    }
}
