package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OomRampTest {
    private final OomRamp ramp = new OomRamp(ms(50), 1_000);

    @ParameterizedTest
    @CsvSource({"1800, 50, 1000", "900, 71, 100", "300, 89, 21.5", "0, 100, 10"})
    void followsTheDocumentedTable(double seconds, long targetMillis, double cadenceMillis) {
        assertThat(ramp.targetNanos(seconds)).isEqualTo(ms(targetMillis));
        assertThat(ramp.cadenceNanos(seconds) / 1e6).isCloseTo(cadenceMillis, within(0.05));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 299, 1_799.999})
    void isOnBelowHalfAnHour(double seconds) {
        assertThat(ramp.inBand(seconds)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 1_800, Double.NaN, Double.POSITIVE_INFINITY})
    void isOffOtherwise(double seconds) {
        assertThat(ramp.inBand(seconds)).isFalse();
    }

    @Test
    void quadruplesTheBudgetUpToTheCap() {
        assertThat(ramp.baseBudget()).isEqualTo(4_000);
        assertThat(new OomRamp(ms(5), 900_000).baseBudget()).isEqualTo(1_000_000);
        assertThat(new OomRamp(ms(5), 1_000_000).baseBudget()).isEqualTo(1_000_000);
    }

    @Test
    void noTargetStaysNoTarget() {
        assertThat(new OomRamp(0, 1_000).targetNanos(10)).isZero();
    }

    @Property
    void neverTightens(@ForAll @DoubleRange(min = 0, max = 1_799) double seconds, @ForAll @IntRange(min = 1, max = 1_000) int targetMillis) {
        OomRamp any = new OomRamp(ms(targetMillis), 1_000);
        assertThat(any.targetNanos(seconds)).isBetween(ms(targetMillis), Math.max(ms(100), ms(targetMillis)));
        assertThat(any.targetNanos(seconds)).isGreaterThanOrEqualTo(any.targetNanos(seconds + 1));
        assertThat(any.cadenceNanos(seconds)).isLessThanOrEqualTo(any.cadenceNanos(seconds + 1)).isBetween(ms(10), s(1));
    }

    @Test
    void anEpisodeGivesBackBudgetTargetAndCadence() {
        Pace pace = new Pace(LoopRig.SETTINGS);
        pace.observe(-1, false);
        pace.observe(1_799, false);
        assertThat(pace.ramping()).isTrue();
        assertThat(pace.budget()).isEqualTo(16_000);
        for (double seconds = 1_700; seconds >= 0; seconds -= 10) {
            pace.observe(seconds, false);
            pace.onPass(false, ms(1));
        }
        assertThat(pace.targetNanos()).isEqualTo(ms(100));
        assertThat(pace.cadenceNanos()).isEqualTo(ms(10));
        assertThat(pace.budget()).isBetween(16_000, 64_000);
        pace.observe(1_800, false);
        assertThat(pace.ramping()).isFalse();
        assertThat(pace.budget()).isEqualTo(4_000);
        assertThat(pace.targetNanos()).isEqualTo(ms(5));
        assertThat(pace.cadenceNanos()).isEqualTo(s(1));
    }

    @Test
    void whatTheControllerLearnsInAnEpisodeSurvivesItsTicks() {
        Pace pace = new Pace(LoopRig.SETTINGS);
        pace.observe(900, false);
        pace.onPass(false, ms(150));
        int learned = pace.budget();
        assertThat(learned).isLessThan(16_000);
        pace.observe(900, false);
        assertThat(pace.budget()).isEqualTo(learned);
    }

    @Test
    void passesWithRootEnumerationDoNotFeedTheController() {
        Pace pace = new Pace(LoopRig.SETTINGS);
        pace.onPass(true, s(3));
        assertThat(pace.budget()).isEqualTo(4_000);
        assertThat(pace.cadenceNanos()).isEqualTo(s(1));
        pace.onPass(false, ms(50));
        assertThat(pace.budget()).isLessThan(4_000);
    }

    @Test
    void theBudgetDoesNotCompoundWhenTheTargetMoves() {
        Pace pace = new Pace(LoopRig.SETTINGS);
        for (double seconds = 1_799; seconds >= 0; seconds -= 1) {
            pace.observe(seconds, false);
        }
        assertThat(pace.budget()).isEqualTo(16_000);
    }
}
