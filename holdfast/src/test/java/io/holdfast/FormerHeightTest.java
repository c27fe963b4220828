package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FormerHeightTest {
    private static final long SECOND = 1_000_000_000L;

    private FormerHeight height = new FormerHeight();
    private long now;

    private boolean saw(long elements) {
        now += SECOND;
        height.saw(now, elements);
        return height.surpassedBy(now, elements);
    }

    @Test
    void whatWasNeverEmptiedIsJudgedByItsGrowthAlone() {
        for (int elements = 0; elements < 1_000; elements++) {
            assertThat(saw(elements)).isTrue();
        }
        assertThat(saw(600)).as("a part of it has gone").isTrue();
    }

    @Property
    void whatFillsAndEmptiesInTurnsIsAccusedInItsFirstTurnOnly(@ForAll @IntRange(min = 10, max = 400) int seconds, @ForAll @IntRange(min = 1, max = 50) int perSecond,
                                                               @ForAll @IntRange(min = 0, max = 40) int left) {
        height = new FormerHeight(); // one object for all tries
        for (int turn = 0; turn < 10; turn++) {
            for (int second = 1; second <= seconds; second++) {
                assertThat(saw((long) left * seconds * perSecond / 100 + (long) second * perSecond)).isEqualTo(turn == 0);
            }
        }
    }

    @Property
    void aQueueThatIsDrainedOverSeveralLooksIsAccusedInItsFirstTurnOnly(@ForAll @IntRange(min = 30, max = 200) int seconds,
                                                                        @ForAll @IntRange(min = 1, max = 20) int drain,
                                                                        @ForAll @IntRange(min = 0, max = 3) int stragglers) {
        height = new FormerHeight();
        for (int turn = 0; turn < 6; turn++) {
            for (int second = 1; second <= seconds; second++) {
                assertThat(saw(second * 10L)).isEqualTo(turn == 0);
            }
            for (int second = 1; second <= drain; second++) {
                saw((long) seconds * 10 * (drain - second) / drain);
            }
            for (int second = 0; second < 10; second++) {
                assertThat(saw(second % 2 == 0 ? stragglers : 0)).isFalse();
            }
        }
    }

    @Test
    void howLongItStoodFullSaysNothingOfHowLongItFills() {
        for (int second = 0; second < 60; second++) {
            saw(second * 100L);
        }
        for (int second = 0; second < 7_200; second++) {
            saw(5_900 + second % 7);
        }
        for (int second = 0; second < 140; second++) {
            assertThat(saw(second * 2L)).isFalse();
        }
        for (int second = 140; second < 182; second++) {
            saw(second * 2L);
        }
        assertThat(saw(364)).as("it leaks slowly now").isTrue();
    }

    @Test
    void aFormerHeightOfLongAgoGivesWayToALowerOne() {
        for (int second = 0; second <= 100; second++) {
            saw(second * 100L);
        }
        for (int turn = 0; turn < 5; turn++) {
            for (int second = 0; second <= 100; second++) {
                saw(second * 10L);
            }
        }
        saw(0);
        for (int elements = 0; elements <= 1_250; elements += 50) {
            assertThat(saw(elements)).isFalse();
        }
        assertThat(saw(1_251)).isTrue();
    }

    @Test
    void whatGrowsBeyondItsFormerHeightIsAccusedAgain() {
        for (int elements = 0; elements <= 1_000; elements += 10) {
            saw(elements);
        }
        assertThat(saw(0)).isFalse();
        for (int elements = 0; elements <= 1_250; elements += 10) {
            assertThat(saw(elements)).isFalse();
        }
        assertThat(saw(1_251)).isTrue();
    }

    @Test
    void aQueueThatWasFilledInAHurryOnceMayLeakSlowlyAfterwards() {
        saw(0);
        for (int second = 1; second <= 10; second++) {
            saw(second * 100_000L);
        }
        saw(0);
        for (int second = 0; second < 90; second++) {
            assertThat(saw(second * 10L)).isFalse();
        }
        assertThat(saw(910)).isTrue();
    }
}
