package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Section 6 of the specification: the burn-in. The arithmetic has its test in {@link UsageWindowTest}. */
class SecondsToExhaustionTest {
    @Test
    void the_usage_projects_after_five_minutes_only() {
        World world = new World();
        for (int i = 0; i < 20; i++) {
            world.tracker.recordUsage(world.nanos, (500L + 10 * i) << 20);
            world.collect();
        }
        assertThat(world.tracker.secondsToExhaustion()).isEqualTo(-1);
        world.nanos += LivenessTracker.PROJECTION_BURN_IN_NANOS;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.secondsToExhaustion()).isCloseTo((1024 - 690) / 10.0, within(1e-6));
        assertThat(world.tracker.status().floorBytes()).hasSize(20).startsWith(500L << 20);
    }
}
