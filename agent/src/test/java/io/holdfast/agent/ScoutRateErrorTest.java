package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ScoutRateErrorTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void no_weight_is_no_knowledge_and_one_weight_is_as_uncertain_as_it_is_large() {
        ScoutRate rate = new ScoutRate(0);
        assertThat(rate.relativeError()).isNaN();
        rate.add(100, SECOND);
        assertThat(rate.relativeError()).isEqualTo(1);
    }

    @Test
    void equal_weights_at_once_have_the_error_of_their_number() {
        ScoutRate rate = new ScoutRate(0);
        for (int i = 0; i < 25; i++) {
            rate.add(100, SECOND);
        }
        assertThat(rate.relativeError()).isCloseTo(0.2, within(1e-9));
    }

    /** Samples at random moments: two thirds of the rates lie within one stated error of the truth. */
    @Test
    void the_stated_error_is_the_error_seen() {
        Random random = new Random(7);
        int within = 0;
        for (int trial = 0; trial < 400; trial++) {
            ScoutRate rate = new ScoutRate(0);
            for (int second = 1; second <= 120; second++) {
                if (random.nextInt(4) == 0) {
                    rate.add(400, second * SECOND);
                }
            }
            // 100 bytes a second in truth.
            within += Math.abs(rate.bytesPerSecond(120 * SECOND) - 100) <= 100 * rate.relativeError() ? 1 : 0;
        }
        assertThat(within / 400.0).isBetween(0.55, 0.85);
    }
}
