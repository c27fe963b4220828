package io.holdfast.liveness;

import static io.holdfast.liveness.World.leak;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
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
}
