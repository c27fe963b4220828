package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerSettingsTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"64, 20000", "512, 20000", "1024, 28284", "2048, 40000", "4096, 56568", "16384, 113137", "1000000000, 1000000"})
    void budgetGrowsWithTheSquareRootOfTheHeap(long heapMib, int budget) {
        assertThat(AutoTuning.budget(heapMib * MIB)).isEqualTo(budget);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "3, 5", "4, 10", "7, 15", "28, 50", "256, 50"})
    void sliceGrowsWithTheProcessors(int processors, long millis) {
        assertThat(AutoTuning.pauseTargetNanos(512 * MIB, processors)).isEqualTo(ms(millis));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.01", "4, 0.01", "5, 0.02", "8, 0.02", "9, 0.03", "17, 0.05", "256, 0.05"})
    void painBudgetGrowsWithTheProcessors(int processors, double share) {
        assertThat(AutoTuning.painBudget(512 * MIB, processors)).isCloseTo(share, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"64, 60", "512, 60", "1024, 120", "768, 90", "100000, 1800"})
    void lifeOfASearchGrowsWithTheHeap(long heapMib, long seconds) {
        assertThat(AutoTuning.ttlNanos(heapMib * MIB)).isEqualTo(s(seconds));
    }

    @Test
    void firstPassIsTenBudgets() {
        SchedulerSettings defaults = SchedulerSettings.defaults(512 * MIB, 2);
        assertThat(defaults.rootAdmissions()).isEqualTo(200_000);
        assertThat(defaults.withBudget(3_000).rootAdmissions()).isEqualTo(30_000);
        assertThat(defaults.withBudget(900_000).rootAdmissions()).isEqualTo(1_000_000);
        assertThat(defaults.withFirstPassBudget(7).rootAdmissions()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE})
    void anUnknownHeapTunesNothing(long maxHeapBytes) {
        SchedulerSettings settings = SchedulerSettings.defaults(maxHeapBytes, 64);
        assertThat(settings).isEqualTo(new SchedulerSettings(20_000, 0, ms(5), 0.01, s(1), maxHeapBytes, 64));
        assertThat(settings.withBudget(1_000).rootAdmissions()).isEqualTo(50_000);
        assertThat(settings.withBudget(5_000).rootAdmissions()).isEqualTo(200_000);
        assertThat(AutoTuning.ttlNanos(maxHeapBytes)).isEqualTo(s(60));
    }

    @Test
    void valuesOutOfRangeAreMovedIn() {
        assertThat(new SchedulerSettings(-5, -5, -5, -5, -5, -5, -5)).isEqualTo(new SchedulerSettings(1, 0, 0, 0, ms(10), -5, 1));
        assertThat(new SchedulerSettings(2_000_000_000, 2_000_000_000, s(9), 101, s(99), 0, 1))
                .isEqualTo(new SchedulerSettings(1_000_000, 1_000_000, s(9), 1, s(4), 0, 1));
        assertThat(SchedulerSettings.defaults(0, 1).withPainBudget(Double.NaN).painBudget()).isZero();
    }

    @Test
    void theCreditLasts150SecondsAndComesBackIn20Minutes() {
        SchedulerSettings settings = SchedulerSettings.defaults(0, 1);
        assertThat(settings.quickNanos()).isEqualTo(s(150));
        assertThat(settings.quickRecoveryNanos()).isEqualTo(s(1_200));
        assertThat(settings.withQuickNanos(7).withCadenceNanos(ms(50)).withStartAllowanceNanos(1).quickNanos()).isEqualTo(7);
        assertThat(settings.withQuickRecoveryNanos(s(7)).withBudget(50).withPainBudget(0.1).quickRecoveryNanos()).isEqualTo(s(7));
    }

    @Property
    void neverOutOfRange(@ForAll int budget, @ForAll int first, @ForAll long target, @ForAll double pain, @ForAll long heap, @ForAll int cpus) {
        SchedulerSettings settings = SchedulerSettings.defaults(heap, cpus).withBudget(budget).withFirstPassBudget(first)
                .withPauseTargetNanos(target).withPainBudget(pain).withCadenceNanos(target).withQuickNanos(target).withQuickRecoveryNanos(heap);
        assertThat(settings.budget()).isBetween(1, 1_000_000);
        assertThat(settings.rootAdmissions()).isBetween(1, 1_000_000);
        assertThat(settings.pauseTargetNanos()).isNotNegative();
        assertThat(settings.painBudget()).isBetween(0.0, 1.0);
        assertThat(settings.cadenceNanos()).isBetween(ms(10), s(4));
        assertThat(settings.quickNanos()).isBetween(0L, s(86_400));
        assertThat(settings.quickRecoveryNanos()).isBetween(s(1), s(86_400));
    }
}
