package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class CandidateBackoffTest {
    private final CandidateBackoff backoff = new CandidateBackoff();

    private void fruitlessPass(long end) {
        backoff.onPass(true, true, ms(10), end);
    }

    @Test
    void doublesFromOneToSixteenAndStays() {
        List<Integer> multipliers = new ArrayList<>();
        backoff.progress();
        for (int pass = 1; pass <= 7; pass++) {
            fruitlessPass(0);
            multipliers.add(backoff.multiplier());
        }
        assertThat(multipliers).containsExactly(1, 2, 4, 8, 16, 16, 16);
    }

    @Test
    void spacingIsTheMultiplierTimesTheUsualPassFromTheEndOfTheLastChase() {
        backoff.progress();
        fruitlessPass(0);
        assertThat(backoff.opensInNanos(0)).isZero();
        fruitlessPass(ms(1_000));
        fruitlessPass(ms(2_000));
        assertThat(backoff.multiplier()).isEqualTo(4);
        assertThat(backoff.opensInNanos(ms(2_000))).isEqualTo(ms(40));
        assertThat(backoff.opensInNanos(ms(2_039))).isEqualTo(ms(1));
        assertThat(backoff.opensInNanos(ms(2_040))).isZero();
    }

    @Test
    void theUsualPassMovesByAFifthAndIsKeptWarmByEveryPass() {
        backoff.onPass(false, false, ms(10), 0);
        backoff.onPass(false, false, ms(60), 0);
        // 10·4/5 + 60/5 = 20
        backoff.onPass(true, true, ms(20), 0);
        assertThat(backoff.opensInNanos(0)).isEqualTo(2 * ms(20));
    }

    @Test
    void passesThatSoughtNothingDoNotMoveTheStart() {
        fruitlessPass(ms(100));
        backoff.onPass(false, false, ms(10), ms(900));
        assertThat(backoff.opensInNanos(ms(100))).isEqualTo(ms(20));
    }

    @Test
    void progressResets() {
        for (int pass = 0; pass < 9; pass++) {
            fruitlessPass(0);
        }
        assertThat(backoff.multiplier()).isEqualTo(16);
        backoff.progress();
        assertThat(backoff.multiplier()).isEqualTo(1);
        fruitlessPass(0);
        assertThat(backoff.multiplier()).isEqualTo(1);
        fruitlessPass(0);
        assertThat(backoff.multiplier()).isEqualTo(2);
    }

    @Test
    void nothingSoughtNothingBackedOff() {
        for (int pass = 0; pass < 9; pass++) {
            backoff.onPass(false, false, ms(10), 0);
        }
        assertThat(backoff.multiplier()).isEqualTo(1);
    }
}
