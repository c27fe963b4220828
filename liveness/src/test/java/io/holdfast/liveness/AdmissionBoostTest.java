package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import org.junit.jupiter.api.Test;

class AdmissionBoostTest {
    private final Counters counters = new Counters();
    private final AdmissionBoost boost = new AdmissionBoost(counters);

    @Test
    void half_an_hour_and_more_or_no_projection_never_boosts() {
        boost.evaluate(1_800, 1, 100);
        boost.evaluate(1_800, 2, 900);
        assertThat(boost.boosting()).isFalse();
        boost.evaluate(-1, 3, 9_000);
        assertThat(boost.boosting()).isFalse();
    }

    @Test
    void in_the_wide_band_only_a_new_high_water_boosts_and_the_decision_is_held() {
        boost.evaluate(1_700, 1, 100);
        assertThat(boost.boosting()).as("the entry value is the first high water").isFalse();
        boost.evaluate(1_700, 2, 101);
        assertThat(boost.boosting()).isTrue();
        boost.evaluate(1_700, 2, 101);
        assertThat(boost.boosting()).as("held until the next reading").isTrue();
        boost.evaluate(1_700, 3, 101);
        assertThat(boost.boosting()).isFalse();
        boost.evaluate(1_700, 4, 100);
        assertThat(boost.boosting()).isFalse();
        boost.evaluate(1_700, 5, 102);
        assertThat(boost.boosting()).isTrue();
        assertThat(counters.get(AdmissionBoost.LIVENESS_URGENT_BOOST_BACKED_OFF)).isEqualTo(2);
    }

    @Test
    void below_five_minutes_nothing_else_is_asked() {
        boost.evaluate(299, 1, 100);
        assertThat(boost.boosting()).isTrue();
        boost.evaluate(299, 2, 50);
        assertThat(boost.boosting()).isTrue();
        assertThat(counters.get(AdmissionBoost.LIVENESS_URGENT_BOOST_BACKED_OFF)).isZero();
    }

    @Test
    void leaving_the_band_ends_the_episode_and_its_high_water() {
        boost.evaluate(299, 1, 1_000);
        boost.evaluate(-1, 2, 1_000);
        assertThat(boost.boosting()).isFalse();
        boost.evaluate(1_000, 3, 10);
        boost.evaluate(1_000, 4, 11);
        assertThat(boost.boosting()).isTrue();
    }
}
