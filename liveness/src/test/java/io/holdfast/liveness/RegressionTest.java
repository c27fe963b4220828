package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RegressionTest {
    @Property
    void agrees_with_the_textbook(@ForAll @Size(min = 2, max = 30) List<@LongRange(min = 0, max = 1L << 40) Long> values) {
        Regression fit = Regression.fit(values.size(), values::get);
        double n = values.size();
        double sumX = 0;
        double sumY = 0;
        double sumXy = 0;
        double sumXx = 0;
        for (int x = 0; x < values.size(); x++) {
            sumX += x;
            sumY += values.get(x);
            sumXy += (double) x * values.get(x);
            sumXx += (double) x * x;
        }
        double slope = (n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
        double intercept = (sumY - slope * sumX) / n;
        double scale = 1 + sumY;
        assertThat(fit.earliest()).isCloseTo(intercept, within(scale * 1e-9));
        assertThat(fit.recent()).isCloseTo(intercept + slope * (n - 1), within(scale * 1e-9));
    }

    @Property
    void a_flat_series_has_no_growth_at_all(@ForAll @LongRange(min = 0) long value) {
        assertThat(Regression.fit(30, i -> value).growth()).isZero();
    }

    @Test
    void one_value_is_a_line_without_growth() {
        assertThat(Regression.fit(1, i -> 7)).isEqualTo(new Regression(7, 7));
    }

    @Test
    void the_absolute_bar_binds_for_small_series_and_the_relative_one_for_large() {
        assertThat(new Regression(2, 2.99).rises(0.15, 1)).isFalse();
        assertThat(new Regression(2, 3).rises(0.15, 1)).isTrue();
        assertThat(new Regression(100, 114.9).rises(0.15, 1)).isFalse();
        assertThat(new Regression(100, 115).rises(0.15, 1)).isTrue();
    }
}
