package io.holdfast.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class UrgentLatchTest {
    private final UrgentLatch latch = new UrgentLatch();

    private boolean after(double... seconds) {
        for (double s : seconds) {
            latch.observe(s);
        }
        return latch.latched();
    }

    @Test
    void engagesOnTheFirstProjectionBelowFiveMinutes() {
        assertThat(after(300, 301, 1_000)).isFalse();
        assertThat(after(299.9)).isTrue();
    }

    @Test
    void zeroSecondsLatches() {
        assertThat(after(0)).isTrue();
    }

    @Test
    void theMiddleBandNeverFlaps() {
        assertThat(after(450, 300, 599)).isFalse();
        assertThat(after(10, 300, 599, 450, 599, 300, 450, 599)).isTrue();
    }

    @Test
    void releaseNeedsFiveClearLooksInARow() {
        assertThat(after(10, 600, 600, 600, 600)).isTrue();
        assertThat(after(599.9, 600, 600, 600, 600)).isTrue();
        assertThat(after(600)).isFalse();
    }

    @Test
    void noProjectionCountsAsClear() {
        assertThat(after(10, -1, -1, 5_000, Double.NaN)).isTrue();
        assertThat(after(-1)).isFalse();
    }

    @Test
    void latchesAgainAfterARelease() {
        assertThat(after(10, -1, -1, -1, -1, -1)).isFalse();
        assertThat(after(10)).isTrue();
        assertThat(after(-1, -1, -1, -1)).isTrue();
    }

    /** Latched exactly when a look below 300 was not followed by five looks in a row of at least 600 or unknown. */
    @Property
    void isLatchedExactlyAsTheWholeHistorySays(@ForAll("looks") List<Double> looks) {
        UrgentLatch fresh = new UrgentLatch();
        for (int n = 0; n < looks.size(); n++) {
            fresh.observe(looks.get(n));
            assertThat(fresh.latched()).isEqualTo(latchedByHistory(looks.subList(0, n + 1)));
        }
    }

    private static boolean latchedByHistory(List<Double> looks) {
        for (int i = looks.size() - 1, clear = 0; i >= 0; i--) {
            double s = looks.get(i);
            clear = s >= 600 || !(s >= 0) ? clear + 1 : 0;
            if (clear == 5) {
                return false;
            }
            if (s >= 0 && s < 300) {
                return true;
            }
        }
        return false;
    }

    @Provide
    Arbitrary<List<Double>> looks() {
        return Arbitraries.of(-1.0, 0.0, 299.0, 300.0, 599.0, 600.0, 1_800.0, 10_000.0, -1.0, 700.0).list().ofMaxSize(60);
    }
}
