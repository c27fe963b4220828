package io.holdfast.liveness;

import static io.holdfast.liveness.World.leak;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 1 of the specification: what is on when. */
class FeatureSwitchesTest {
    @Test
    void without_a_signal_objects_are_followed_and_nothing_is_suspected() {
        World world = new World(new LivenessSettings(1_000, 1.0, true, false, 1L << 30, 1));
        List<Held> held = new ArrayList<>();
        for (int fold = 0; fold < 20; fold++) {
            leak(world, held, 3);
            world.collect();
        }
        assertThat(world.tracker.enabled()).isFalse();
        assertThat(world.tracker.hasCandidate()).isFalse();
        assertThat(world.candidates()).isEmpty();
        assertThat(world.tracker.survival().get(0).survivors()).isEqualTo(60);
    }

    @Test
    void rows_take_one_percent_of_the_heap_and_never_more_than_the_hard_cap() {
        assertThat(LivenessSettings.rowsFor(0)).as("unknown").isEqualTo(4_096);
        assertThat(LivenessSettings.rowsFor(Long.MAX_VALUE)).as("unknown").isEqualTo(4_096);
        assertThat(LivenessSettings.rowsFor(96_000_000)).isEqualTo(10_000);
        assertThat(LivenessSettings.rowsFor(1L << 40)).isEqualTo(262_144);
        assertThat(new LivenessSettings(1 << 30, 1, true, true, 0, 1).maxRows()).isEqualTo(262_144);
    }

    @Test
    void the_full_leak_finder_leaves_no_sample_out() {
        assertThat(LivenessSettings.defaults(1L << 30).ratio()).isEqualTo(1);
        assertThat(LivenessSettings.defaults(1L << 30).signal()).isTrue();
    }

    @Test
    void without_rows_nothing_is_taken_and_no_signal_arises() {
        World world = new World(new LivenessSettings(0, 1, true, true, 1L << 30, 1));
        assertThat(world.tracker.enabled()).isFalse();
        world.allocate(new Session(), 3);
        world.collect();
        assertThat(world.tracker.status().rows()).isZero();
        assertThat(world.tracker.hasCandidate()).isFalse();
    }
}
